/** Checkpoints that the visitor gives: what they are, and their conversion into a bundle of this browser. */
import { freeId } from '../../models/bundle/local.ts';
import { buildBundle } from '../../models/bundle/build.ts';
import type { BorrowedCodec } from '../../models/bundle/build.ts';
import { whyNoPictures } from '../../models/bundle/latents.ts';
import { parseManifest } from '../../models/bundle/manifest.ts';
import { findParts } from '../../models/bundle/parts.ts';
import type { Parts } from '../../models/bundle/parts.ts';
import type { Answers } from '../../models/bundle/questions.ts';
import { idOf, understandParts, withCodec } from '../../models/bundle/request.ts';
import { parameterCount, tensorBytes } from '../../models/files/weights.ts';
import { download, downloadJson } from '../inference/download.ts';
import type { Fetch } from '../inference/download.ts';
import { sha256 } from '../inference/sha256.ts';
import type { ConvertRequest, GivenFile, LocalBundle, Looked } from '../protocol.ts';
import type { Bundles } from './bundles.ts';
import { createPace } from './pace.ts';
import type { Taking } from './take-in.ts';

/** @throws one sentence: files that are neither a bundle nor a checkpoint, or one that is wrong */
export async function look(
  files: readonly GivenFile[],
  answers: Answers,
  open: Taking['open'],
): Promise<Looked> {
  if (isBundle(files)) return { kind: 'bundle' };
  const parts = findParts(await openAll(files, open));
  const { model, parts: found, notes, questions } = understandParts(parts, answers);
  const checkpoints = [parts.nanowm, parts.autoencoder].filter((part) => part !== null);
  return {
    kind: 'checkpoint',
    title: titleOf(parts),
    architecture: model?.architecture ?? null,
    world: found.world,
    autoencoder: parts.autoencoder !== null,
    pictures: model === null || whyNoPictures(model.latents) === null,
    notes,
    questions,
    parameters: checkpoints.reduce((sum, { checkpoint }) => sum + parameterCount(checkpoint.weights), 0),
  };
}

/** @throws as `look`; for weights that are not finite; what `bundles.add` throws */
export async function convert(
  request: ConvertRequest,
  bundles: Bundles,
  fetch: Fetch,
  { open, now, onProgress, pause }: Taking,
): Promise<LocalBundle> {
  const { files, answers, storage, title, licence, codecOf } = request;
  const parts = findParts(await openAll(files, open));
  const checkpoints = [parts.nanowm, parts.autoencoder].filter((part) => part !== null);
  // Graphs are put together in one go: progress goes out meanwhile, a cancel comes in after it.
  const reading = createPace(
    checkpoints.reduce((sum, { checkpoint }) => sum + tensorBytes(checkpoint.weights), 0),
    now,
    onProgress,
  );
  let read = 0;
  const understood = understandParts(parts, answers, (bytes) =>
    reading('read', checkpoints[0]!.path, (read += bytes)),
  );
  const codec = codecOf === null ? null : await borrow(codecOf, fetch);
  const taken = new Set((await bundles.list()).map(({ id }) => id));
  const id = freeId(idOf(title), taken);
  const about = { id, title, licence, storage, source: checkpoints[0]!.path };
  return bundles.add(id, async (sink) => {
    let pace: ReturnType<typeof createPace> | null = null;
    let file = '';
    await buildBundle(
      { ...about, ...withCodec(understood, codec) },
      {
        write: (name, bytes) => {
          file = name;
          return sink.write(name, bytes);
        },
      },
      {
        sha256,
        pause,
        onProgress: (done, total) => {
          pace ??= createPace(total, now, onProgress);
          pace('convert', file, done);
        },
      },
    );
  });
}

/** A bundle's folder, whole or not, or an archive: checkpoints hold no graphs and do not come in an archive. */
function isBundle(files: readonly GivenFile[]): boolean {
  return files.some(({ path }) => /(^|\/)manifest\.json$|\.onnx$|\.zip$/i.test(path));
}

function openAll(files: readonly GivenFile[], open: Taking['open']) {
  return Promise.all(files.map(({ path, blob }) => open(blob, path)));
}

/** The folder's name, where the file's own says nothing. */
function titleOf({ nanowm, autoencoder }: Parts): string {
  const path = (nanowm ?? autoencoder)!.path.split('/');
  const file = path.at(-1)!.replace(/\.\w+$/, '');
  const plain = /^(model|diffusion_pytorch_model|last|checkpoint|pytorch_model)(-\d+-of-\d+)?$/i.test(file);
  return (plain ? path.at(-2) : undefined) ?? file;
}

async function borrow(url: string, fetch: Fetch): Promise<BorrowedCodec> {
  const address = (name: string) => new URL(name, url).href;
  const manifest = parseManifest(await downloadJson(fetch, address('manifest.json')));
  return {
    manifest,
    read: (name) => download(fetch, address(name), manifest.files[name]!.bytes, () => undefined),
  };
}
