/** Checkpoints of the original's layout into bundles of a file system in memory, and their networks against its numbers. */
import { describe, expect, it } from 'vitest';
import { sourceOfBytes } from '../../models/files/source.ts';
import { readReference, referenceArrays, referencePath } from '../../models/testing/reference.ts';
import { createQueue } from '../inference/queue.ts';
import { openSession } from '../node/session.ts';
import type { ConvertRequest, GivenFile, LocalBundle, WriteProgress } from '../protocol.ts';
import { memoryFolders } from '../testing/folders.ts';
import { createBundles } from './bundles.ts';
import type { FetchDeps } from './fetch-model.ts';
import { createModels } from './worker.ts';

/** Nothing here comes from elsewhere. */
const noDownloads = null as unknown as FetchDeps;

function rig() {
  const folders = memoryFolders();
  const bundles = createBundles(
    () => Promise.resolve(folders.root),
    async (_, work) => ({ done: await work() }),
  );
  const models = createModels(
    {
      bundles,
      open: async (blob, label) => sourceOfBytes(new Uint8Array(await blob.arrayBuffer()), label),
      fetch: () => Promise.resolve(new Response(null, { status: 404 })),
      downloads: noDownloads,
      clearDownloads: () => Promise.resolve(0),
      storage: () => Promise.resolve({ used: null, quota: null, persisted: null }),
      now: () => performance.now(),
    },
    createQueue(),
  );
  return { folders, bundles, models };
}

function given(paths: Readonly<Record<string, string>>): GivenFile[] {
  return Object.entries(paths).map(([path, reference]) => ({
    path,
    blob: new Blob([readReference(reference)! as Uint8Array<ArrayBuffer>]),
  }));
}

const ADDITIVE = {
  'run/model.safetensors': 'nanowm/additive/model.safetensors',
  'run/config.yaml': 'nanowm/additive/config.yaml',
};
const VAE = {
  'vae/diffusion_pytorch_model.safetensors': 'autoencoder/sd-like/diffusion_pytorch_model.safetensors',
  'vae/config.json': 'autoencoder/sd-like/config.json',
};

function request(files: readonly GivenFile[], changes: Partial<ConvertRequest> = {}): ConvertRequest {
  return {
    files,
    answers: {},
    storage: 'fp32',
    title: 'My Run 3',
    licence: 'MIT',
    codecOf: null,
    ...changes,
  };
}

/** The window graph of a kept bundle on the golden input, against the golden output: the largest relative difference. */
async function deviation(bundle: LocalBundle, bundles: ReturnType<typeof createBundles>, io: string) {
  const names = [
    'window.onnx',
    ...Object.keys(bundle.manifest!.files).filter((name) => name.endsWith('.bin')),
  ];
  const files = await Promise.all(
    names.map(async (name) => new Uint8Array(await (await bundles.file(bundle.id, name)).arrayBuffer())),
  );
  const [model, ...data] = files;
  const shards = data.map((bytes, i) => ({ path: names[i + 1]!, data: bytes }));
  const session = await openSession(model!, { runtime: 'wasm', shards });
  const golden = referenceArrays(io);
  const feeds = Object.fromEntries(['x', 'timesteps', 'actions'].map((name) => [name, golden.get(name)]));
  const { output } = await session.run(feeds, ['output']);
  await session.release();
  const expected = golden.get('output').data as Float32Array;
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return (
    (output!.data as Float32Array).reduce(
      (most, value, i) => Math.max(most, Math.abs(value - expected[i]!)),
      0,
    ) / largest
  );
}

describe.skipIf(referencePath('nanowm/additive') === null)('a checkpoint that was given', () => {
  it('is looked at, converted with its autoencoder, and computes what the original does', async () => {
    const { models, bundles } = rig();
    const files = given({ ...ADDITIVE, ...VAE });
    const looked = await models.look(files, {});
    expect(looked).toMatchObject({ kind: 'checkpoint', title: 'run', autoencoder: true, pictures: true });
    const told: WriteProgress[] = [];
    const kept = await models.convert(request(files), (progress) => told.push(progress));
    expect(kept).toMatchObject({ id: 'my-run-3', failure: null });
    expect(kept.manifest).toMatchObject({
      title: 'My Run 3',
      licence: 'MIT',
      source: 'run/model.safetensors',
    });
    expect(Object.keys(kept.manifest!.files)).toContain('decode.onnx');
    expect(told.at(-1)).toMatchObject({ stage: 'convert' });
    expect(told.at(-1)!.doneBytes).toBe(told.at(-1)!.totalBytes);
    expect(await deviation(kept, bundles, 'nanowm/additive/io.npz')).toBeLessThan(2e-5);
  });

  it('comes with what a training leaves beside it, which is named and left out', async () => {
    const { models } = rig();
    const junk = { path: 'run/optimizer.pt', blob: new Blob(['no archive at all']) };
    const looked = await models.look([...given(ADDITIVE), junk], {});
    expect(looked).toMatchObject({ kind: 'checkpoint', title: 'run' });
    expect(looked.kind === 'checkpoint' && looked.notes).toContain('Left out: run/optimizer.pt.');
    // Alone it explains itself.
    await expect(models.look([junk], {})).rejects.toThrow(/optimizer\.pt/);
  });

  it('takes no answer that cannot be', async () => {
    const { models } = rig();
    const files = given({ 'model.safetensors': ADDITIVE['run/model.safetensors'] });
    await expect(models.look(files, { context: 99 })).rejects.toThrow(
      'invalid context frames: 99; a window of 4 has at most 3',
    );
  });

  it('comes without its config too: what it does not tell is asked, and answers are used', async () => {
    const { models } = rig();
    const files = given({ 'model.safetensors': ADDITIVE['run/model.safetensors'] });
    const looked = await models.look(files, {});
    if (looked.kind !== 'checkpoint') throw new Error('it was taken for a bundle');
    const fields = looked.questions.map(({ field }) => field);
    expect(fields).toContain('prediction');
    const kept = await models.convert(request(files, { answers: { prediction: 'x' } }), () => undefined);
    expect(kept.manifest?.diffusion?.prediction).toBe('x');
  });

  it.each<[string, () => GivenFile[], RegExp]>([
    ['nothing', () => [], /^missing weights: nothing was given; give a \.safetensors/],
    [
      'a text',
      () => [{ path: 'notes.txt', blob: new Blob(['hello']) }],
      /^missing weights: among notes\.txt/,
    ],
    [
      'a web page',
      () => [{ path: 'model.safetensors', blob: new Blob(['<!DOCTYPE html><html></html>']) }],
      /^invalid checkpoint: model\.safetensors; it is a web page/,
    ],
    [
      'a file cut short',
      () => {
        const bytes = readReference(ADDITIVE['run/model.safetensors'])!;
        return [{ path: 'model.safetensors', blob: new Blob([bytes.slice(0, bytes.length >> 1)]) }];
      },
      /model\.safetensors; it ends too early|model\.safetensors; .*cut short/,
    ],
    [
      'two world models',
      () =>
        given({
          'a.safetensors': ADDITIVE['run/model.safetensors'],
          'b.safetensors': ADDITIVE['run/model.safetensors'],
        }),
      /^invalid files: a\.safetensors and b\.safetensors; both are world models; give one of them/,
    ],
    [
      'a config that is no YAML',
      () => [
        ...given({ 'model.safetensors': ADDITIVE['run/model.safetensors'] }),
        { path: 'config.yaml', blob: new Blob(['a: [1']) },
      ],
      /config\.yaml/,
    ],
  ])('is refused in one sentence when it is %s', async (_, files, sentence) => {
    const { models, folders } = rig();
    await expect(models.look(files(), {})).rejects.toThrow(sentence);
    await expect(models.convert(request(files()), () => undefined)).rejects.toThrow(sentence);
    expect(folders.paths()).toEqual([]);
  });

  it('leaves nothing when the disk is full or the visitor ends it', async () => {
    const { models, folders } = rig();
    const files = given(ADDITIVE);
    folders.room = 1000;
    await expect(models.convert(request(files), () => undefined)).rejects.toThrow(/no room left/);
    expect(folders.paths()).toEqual([]);
    folders.room = Infinity;
    const converting = models.convert(request(files), () => undefined);
    await models.cancel();
    await expect(converting).rejects.toMatchObject({ name: 'aborted' });
    expect(folders.paths()).toEqual([]);
  });
});
