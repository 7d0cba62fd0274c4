/** The visitor's bundles over a file system in memory; a journey in a real browser does the same on a real one. */
import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { sourceOfBytes } from '../../models/files/source.ts';
import { createQueue } from '../inference/queue.ts';
import type { GivenFile, WriteProgress } from '../protocol.ts';
import { denoiserBundle, windowGraph } from '../testing/bundle.ts';
import type { Files } from '../testing/bundle.ts';
import { memoryFolders } from '../testing/folders.ts';
import { createBundles } from './bundles.ts';
import type { Lock } from './bundles.ts';
import type { FetchDeps } from './fetch-model.ts';
import { createModels } from './worker.ts';

const FILES = denoiserBundle(windowGraph(1));

/** Nothing here comes from elsewhere. */
const noDownloads = null as unknown as FetchDeps;

function rig() {
  const folders = memoryFolders();
  const locked = new Set<string>();
  const lock: Lock = async (name, work) => {
    if (locked.has(name)) return null;
    locked.add(name);
    try {
      return { done: await work() };
    } finally {
      locked.delete(name);
    }
  };
  const bundles = createBundles(() => Promise.resolve(folders.root), lock);
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
  return { folders, locked, bundles, models };
}

function given(files: Files, folder = ''): GivenFile[] {
  return Object.entries(files).map(([name, bytes]) => ({
    path: folder + name,
    blob: new Blob([bytes as Uint8Array<ArrayBuffer>]),
  }));
}

const silent = () => undefined;

describe('a bundle that was made elsewhere', () => {
  it('is kept, listed, read and removed', async () => {
    const { models, bundles, folders } = rig();
    const told: WriteProgress[] = [];
    const kept = await models.takeIn(given(FILES, 'some/folder/'), (progress) => told.push(progress));
    expect(kept).toMatchObject({ id: 'tiny-maze', failure: null });
    expect(kept.manifest?.title).toBe('Tiny maze');
    expect(told.at(-1)).toMatchObject({ doneBytes: FILES['window.onnx']!.length, secondsLeft: 0 });
    expect(await models.list()).toEqual([kept]);
    const file = await bundles.file('tiny-maze', 'window.onnx');
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(FILES['window.onnx']);
    expect(await models.remove('tiny-maze')).toBe(kept.bytes);
    expect(folders.paths()).toEqual([]);
    expect(await models.list()).toEqual([]);
  });

  it('comes back from the zip that it is given out as, under a name of its own', async () => {
    const { models } = rig();
    await models.takeIn(given(FILES), silent);
    const zip = await models.asZip('tiny-maze');
    const names = Object.keys(unzipSync(new Uint8Array(await zip.arrayBuffer())));
    expect(names.sort()).toEqual(['tiny-maze/manifest.json', 'tiny-maze/window.onnx']);
    const again = await models.takeIn([{ path: 'model.zip', blob: zip }], silent);
    expect(again.id).toBe('tiny-maze-2');
    expect(again.manifest?.id).toBe('tiny-maze-2');
    expect((await models.list()).map(({ id }) => id)).toEqual(['tiny-maze', 'tiny-maze-2']);
  });

  it.each<[string, GivenFile[], RegExp]>([
    ['nothing', [], /^missing manifest\.json: among these files; give the whole folder/],
    [
      'a folder without a manifest',
      given({ 'window.onnx': FILES['window.onnx']! }),
      /^missing manifest\.json/,
    ],
    [
      'a manifest alone',
      given({ 'manifest.json': FILES['manifest.json']! }),
      /^missing file: window\.onnx; the manifest of 'tiny-maze' names it/,
    ],
    ['a manifest that is no JSON', given({ 'manifest.json': strToU8('{') }), /^invalid JSON/],
    [
      'a file that was cut short',
      given({ ...FILES, 'window.onnx': FILES['window.onnx']!.subarray(1) }),
      /^invalid file: window\.onnx, \d+ bytes; the manifest says \d+; get the bundle again/,
    ],
    [
      'a file with another byte',
      given({ ...FILES, 'window.onnx': FILES['window.onnx']!.map((byte, i) => (i === 9 ? byte ^ 1 : byte)) }),
      /^invalid file: window\.onnx; its SHA-256 is not the one/,
    ],
    [
      'a zip that is none',
      [{ path: 'model.zip', blob: new Blob(['<!doctype html>']) }],
      /^invalid zip file: model\.zip/,
    ],
    [
      'a zip without a bundle',
      [
        {
          path: 'a.zip',
          blob: new Blob([zipSync({ 'readme.txt': strToU8('hello') }) as Uint8Array<ArrayBuffer>]),
        },
      ],
      /^missing manifest\.json/,
    ],
  ])('is refused in one sentence, and nothing stays, when it is %s', async (_, files, sentence) => {
    const { models, folders } = rig();
    await expect(models.takeIn(files, silent)).rejects.toThrow(sentence);
    expect(folders.paths()).toEqual([]);
    // The next one is taken.
    expect((await models.takeIn(given(FILES), silent)).failure).toBeNull();
  });

  it('is refused when the disk is full, and nothing of it stays', async () => {
    const { models, folders } = rig();
    folders.room = 100;
    await expect(models.takeIn(given(FILES), silent)).rejects.toThrow(
      /^unsupported size: \d+ bytes of window\.onnx; this browser has no room left/,
    );
    expect(folders.paths()).toEqual([]);
  });

  it('is given up between two files when the visitor says so', async () => {
    const { models, folders } = rig();
    const taking = models.takeIn(given(FILES), silent);
    await models.cancel();
    await expect(taking).rejects.toMatchObject({ name: 'aborted' });
    expect(folders.paths()).toEqual([]);
    expect((await models.takeIn(given(FILES), silent)).failure).toBeNull();
  });
});

describe('the list', () => {
  it('sweeps away what a closed tab left half-written, and not what another tab is writing', async () => {
    const { models, locked, folders } = rig();
    const left = await folders.root.getDirectoryHandle('left', { create: true });
    await left.getFileHandle('window.onnx', { create: true });
    const under = await folders.root.getDirectoryHandle('under-way', { create: true });
    await under.getFileHandle('window.onnx', { create: true });
    locked.add('under-way');
    expect(await models.list()).toEqual([]);
    expect(folders.paths()).toEqual(['under-way/window.onnx']);
  });

  it('says of a bundle whose file the browser has removed what to do', async () => {
    const { models, folders } = rig();
    await models.takeIn(given(FILES), silent);
    await (await folders.root.getDirectoryHandle('tiny-maze')).removeEntry('window.onnx');
    const [lost] = await models.list();
    expect(lost!.failure).toBe(
      'missing file: window.onnx; the browser has removed it; delete the model and bring it again',
    );
  });

  it('names what it does not hold', async () => {
    const { models } = rig();
    await expect(models.manifest('nobody')).rejects.toThrow(/^missing model: nobody; this browser does not/);
    await expect(models.remove('nobody')).rejects.toThrow(/^missing model: nobody/);
  });
});

it('does not write, or remove, what another tab writes', async () => {
  const { models, locked } = rig();
  locked.add('tiny-maze');
  const sentence = /^model 'tiny-maze' is being written by another tab; wait/;
  await expect(models.takeIn(given(FILES), silent)).rejects.toThrow(sentence);
  await expect(models.remove('tiny-maze')).rejects.toThrow(sentence);
});
