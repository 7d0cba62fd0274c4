/** From checkpoints to a bundle in a folder: what `convert` and `bundle` do. */
import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { buildBundle } from '../../../models/bundle/build.ts';
import type { BorrowedCodec, BundleRequest } from '../../../models/bundle/build.ts';
import { parseManifest } from '../../../models/bundle/manifest.ts';
import type { Manifest } from '../../../models/bundle/manifest.ts';
import type { Answers, Question } from '../../../models/bundle/questions.ts';
import { idOf } from '../../../models/bundle/request.ts';
import { understandAutoencoder } from '../../../models/bundle/understand-codec.ts';
import { understandNanowm } from '../../../models/bundle/understand.ts';
import type { Understanding } from '../../../models/bundle/understand.ts';
import { invalid } from '../../../models/errors.ts';
import { tensorBytes } from '../../../models/files/weights.ts';
import { STORAGES } from '../../../models/onnx/storage.ts';
import type { Storage } from '../../../models/onnx/storage.ts';
import type { Arguments } from '../command.ts';
import { checkFolder, openOutput, readBytes, readJson } from '../files.ts';
import { meter } from './meter.ts';
import type { Meter } from './meter.ts';
import { answersOf } from './options.ts';
import { openSource, readStatistics } from './sources.ts';
import type { Source } from './sources.ts';

/** What to read; at least one of the first two. */
export interface Asked {
  readonly nanowm?: Place | undefined;
  readonly autoencoder?: Place | undefined;
  /** Folder of a bundle whose codec is taken over, instead of an autoencoder. */
  readonly codecOf?: string | undefined;
  /** Side of the frames of an autoencoder alone, in pixels, where its config does not say it. */
  readonly imageSize?: number | undefined;
  /** Taken where the command line is silent. */
  readonly defaults?: {
    readonly source?: string;
    readonly licence?: string;
    readonly world?: Answers['world'];
  };
}

export interface Place {
  /** A file or a folder. */
  readonly weights: string;
  readonly config?: string | undefined;
  /** Where the weights lie in a file that has several. */
  readonly part?: string | undefined;
}

/** Everything that is known before the numbers are read. */
export interface Prepared {
  readonly request: BundleRequest;
  readonly model: Understanding | null;
  readonly notes: readonly string[];
  readonly questions: readonly Question[];
  /** Bytes of the tensors that will be read. */
  readonly bytes: number;
  /** Closes the files. */
  close(): void;
}

/** Reads headers and configs. @throws one sentence about what is wrong with them */
export async function prepare(asked: Asked, args: Arguments): Promise<Prepared> {
  const opened: Source[] = [];
  const close = () => {
    for (const source of opened) source.close();
  };
  try {
    return { ...(await understood(asked, args, opened)), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** @param opened gets every source, so that it is closed whatever happens */
async function understood(asked: Asked, args: Arguments, opened: Source[]): Promise<Omit<Prepared, 'close'>> {
  const open = async ({ weights, config, part }: Place) => {
    const source = await openSource(weights, config, part);
    opened.push(source);
    return source;
  };
  const out = args.required('out');
  await checkFolder(out);
  const { codecOf, imageSize } = asked;
  if (codecOf !== undefined && asked.autoencoder !== undefined)
    throw invalid('--codec-of', codecOf, 'there is an autoencoder already; leave one of the two out');
  const fps = args.number('fps');
  if (fps !== undefined && (fps < 0.1 || fps > 240))
    throw invalid('--fps', fps, 'give a number from 0.1 to 240');
  const answers = answersOf(args, asked.defaults?.world);
  const storage = args.choice('dtype', STORAGES) ?? 'fp16';
  const reading: Reading = { tell: () => undefined };
  const onRead = (count: number) => reading.tell(count);

  const source = asked.nanowm && (await open(asked.nanowm));
  const statistics = source ? await readStatistics(args.text('actions'), source.path) : null;
  const model = source ? understandNanowm({ ...source, statistics, answers, onRead }) : null;
  const place = asked.autoencoder;
  const codecSource = place && (await open(place));
  const codec = codecSource
    ? understandAutoencoder({ ...sized(codecSource, imageSize), denoiser: model, onRead })
    : null;
  const borrowed = codecOf === undefined ? null : await borrowCodec(codecOf);

  const id = args.text('id') ?? idOf(basename(resolve(out)));
  const request: BundleRequest = {
    id,
    title: args.text('title') ?? id,
    source: args.text('source') ?? asked.defaults?.source ?? basename(resolve((source ?? codecSource)!.path)),
    licence: args.text('licence') ?? asked.defaults?.licence ?? 'not stated',
    world: model?.world ?? answers.world ?? 'other',
    storage,
    display: { aspect: model?.display.aspect ?? 1, fps: fps ?? 8 },
    ...(model && { nanowm: model.part }),
    ...(codec && { autoencoder: codec.part }),
    ...(borrowed && { codec: borrowed }),
  };
  const bytes = opened.reduce((sum, { weights }) => sum + tensorBytes(weights), 0);
  const { add } = meter('reading', bytes);
  reading.tell = add;
  const notes = [source?.notes, model?.notes, codecSource?.notes, codec?.notes].flatMap((each) => each ?? []);
  return { request, model, notes, questions: model?.questions ?? [], bytes };
}

interface Reading {
  tell: (bytes: number) => void;
}

/** Writes the bundle whole or not at all. @throws aborted, between two files */
export async function write(
  request: BundleRequest,
  out: string,
  pause: () => Promise<void>,
): Promise<Manifest> {
  const output = await openOutput(out);
  try {
    // Its clock starts with the first file: before that the graphs are put together.
    let writing: Meter | null = null;
    const manifest = await buildBundle(request, output, {
      sha256,
      pause: () => {
        writing ??= meter('writing', 0);
        return pause();
      },
      onProgress: (done, total) => writing?.set(done, total),
    });
    await output.commit();
    return manifest;
  } finally {
    await output.close();
  }
}

/** The same request with weights stored in another way. */
export function storedAs(request: BundleRequest, storage: Storage): BundleRequest {
  return { ...request, storage };
}

function sized(source: Source, imageSize: number | undefined): Source {
  if (imageSize === undefined) return source;
  return { ...source, config: { ...source.config, sample_size: imageSize } };
}

async function borrowCodec(folder: string): Promise<BorrowedCodec> {
  const manifest = parseManifest(await readJson(join(folder, 'manifest.json')));
  return { manifest, read: (name) => readBytes(join(folder, name)) };
}

function sha256(data: Uint8Array): Promise<string> {
  return Promise.resolve(createHash('sha256').update(data).digest('hex'));
}
