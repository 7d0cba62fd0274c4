/** What an address names, brought from a real host to a real disk. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withManifest, windowGraph } from '../testing/bundle.ts';
import { exampleManifest } from '../../models/testing/manifest.ts';
import { downloadRig } from '../testing/downloads.ts';
import type { DownloadRig } from '../testing/downloads.ts';
import type { WriteProgress } from '../protocol.ts';
import { fetchModel } from './fetch-model.ts';

let rig: DownloadRig;
beforeEach(async () => {
  rig = await downloadRig();
});
afterEach(() => rig.close());

const told: WriteProgress[] = [];
/** The end of a file's name on the disk. */
const NAME = 'on--some--server--tiny--window.onnx';

function bring(...typed: string[]) {
  told.length = 0;
  return fetchModel(
    typed,
    {
      fetch: (url, init) => fetch(url, init),
      now: () => Date.now(),
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds / 100)),
      disk: rig.disk,
      file: (name) => Promise.resolve(new File([rig.disk.bytes(name)! as Uint8Array<ArrayBuffer>], name)),
      hub: rig.host.url.replace(/\/$/, ''),
    },
    (progress) => told.push(progress),
    new AbortController().signal,
  );
}

/** A repository of the hub with these files; its list has the SHA-256 of all but configs. */
function repository(id: string, files: Readonly<Record<string, number>>) {
  const listed = Object.entries(files).map(([path, length]) => {
    const bytes = rig.put(`${id}/resolve/main/${path}`, length);
    const oid = createHash('sha256').update(bytes).digest('hex');
    return {
      type: 'file',
      path,
      size: length,
      ...(/yaml|json/.test(path) ? {} : { lfs: { oid, size: length } }),
    };
  });
  rig.host.files.set(`api/models/${id}/tree/main`, new TextEncoder().encode(JSON.stringify(listed)));
}

async function sizes(files: Awaited<ReturnType<typeof bring>>['files']) {
  return Object.fromEntries(files.map(({ path, blob }) => [path, blob.size]));
}

describe('an address', () => {
  it('of a model and one of its autoencoder bring both, with their configs, each in a folder of its own', async () => {
    repository('lab/world', { 'model.safetensors': 200_000, 'config.yaml': 900, 'README.md': 50 });
    repository('lab/vae', { 'diffusion_pytorch_model.safetensors': 90_000, 'config.json': 500 });
    const { files, notes } = await bring('lab/world', 'lab/vae');
    expect(await sizes(files)).toEqual({
      '1/lab/world/model.safetensors': 200_000,
      '1/lab/world/config.yaml': 900,
      '2/lab/vae/diffusion_pytorch_model.safetensors': 90_000,
      '2/lab/vae/config.json': 500,
    });
    expect(notes).toEqual([]);
    expect(told.at(-1)).toMatchObject({ doneBytes: 291_400, totalBytes: 291_400 });
    const counts = told.filter(({ stage }) => stage === 'download').map(({ doneBytes }) => doneBytes);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  it('of a file in a repository brings the config that goes with it', async () => {
    repository('lab/world', { 'a.ckpt': 5000, 'b.ckpt': 6000, 'config.yaml': 900 });
    const { files } = await bring(`${rig.host.url}lab/world/blob/main/a.ckpt`);
    expect(Object.keys(await sizes(files))).toEqual(['lab/world/a.ckpt', 'lab/world/config.yaml']);
  });

  it('of a repository with several says which was taken', async () => {
    repository('lab/world', { 'step-1000.ckpt': 5000, 'step-2000.ckpt': 6000 });
    const { files, notes } = await bring('lab/world');
    expect(Object.keys(await sizes(files))).toEqual(['lab/world/step-2000.ckpt']);
    expect(notes).toEqual([
      'Of lab/world step-2000.ckpt was taken; it also holds step-1000.ckpt: give the address of the file to take another.',
    ]);
  });

  it('of a bundle brings the files of its manifest, checked against it', async () => {
    const { codec: _, ...manifest } = exampleManifest();
    const bundle = withManifest(manifest, { 'window.onnx': windowGraph(1) });
    for (const [name, bytes] of Object.entries(bundle))
      rig.host.files.set(`on/some/server/tiny/${name}`, bytes);
    const { files } = await bring(`${rig.host.url}on/some/server/tiny/`);
    expect(Object.keys(await sizes(files))).toEqual(['tiny-maze/manifest.json', 'tiny-maze/window.onnx']);
    await rig.disk.remove(rig.host.url.replace('http://', '').replace(/[^\w.-]+/g, '--') + NAME);
    const altered = windowGraph(1).map((byte, at) => (at === 40 ? byte ^ 1 : byte));
    rig.host.files.set('on/some/server/tiny/window.onnx', altered);
    await expect(bring(`${rig.host.url}on/some/server/tiny/`)).rejects.toThrow(
      /^invalid model file: .*window\.onnx; its SHA-256 is .* download it again$/,
    );
  });

  it.each([
    ['nonsense', /^invalid address: nonsense; give owner\/name/],
    ['lab/nobody', /^missing file: .*lab\/nobody \(HTTP 404\)/],
    ['C:\\models\\a.ckpt', /drop the file or the folder onto this page/],
  ])('such as %s is refused in one sentence', async (typed, sentence) => {
    await expect(bring(typed)).rejects.toThrow(sentence);
  });
});
