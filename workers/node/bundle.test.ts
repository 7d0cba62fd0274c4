import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Graph } from '../../models/onnx/graph.ts';
import { add } from '../../models/onnx/ops/arithmetic.ts';
import { serialise } from '../../models/onnx/serialise.ts';
import { bundleOf, denoiserBundle, networkBundle, windowGraph, withManifest } from '../testing/bundle.ts';
import type { Files } from '../testing/bundle.ts';
import { rollout } from '../../models/rollout.ts';
import { parseSpec } from '../../models/run.ts';
import { exampleManifest } from '../../models/testing/manifest.ts';
import { latentClip } from '../testing/clip.ts';
import { openBundleFolder } from './bundle.ts';
import { openGraphFile } from './open.ts';

const wasm = { runtime: 'wasm', threads: 1 } as const;

function folderWith(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return folder;
}

const open = (files: Files) => openBundleFolder(folderWith(files), wasm);
const good = () => denoiserBundle(windowGraph(2));
const text = (value: string) => new TextEncoder().encode(value);

test('a folder opens as the functions that a run calls', async () => {
  const bundle = await open(good());
  const x = new Float32Array(1024).fill(3);
  expect((await bundle.denoise!(x, new Float32Array(4), new Float32Array(40)))[1023]).toBe(12);
  expect([bundle.encode, bundle.decode]).toEqual([null, null]);
  expect(bundle.device).toMatchObject({ backend: 'wasm' });
  await bundle.close();
});

test('a network comes to the same with either graph; where both are there, only the cached one is opened', async () => {
  const results = [];
  for (const graphs of [['window'], ['cached'], ['window', 'cached']] as const) {
    const bundle = await open(networkBundle(...graphs));
    expect(bundle.denoise === null).toBe(graphs.length === 2 || graphs[0] === 'cached');
    const spec = parseSpec({ sampler: { steps: 6 } }, bundle.manifest);
    results.push(await rollout({ ...bundle, spec, clip: latentClip(), clock: () => 0 }));
    await bundle.close();
  }
  const [window, cached, both] = results;
  expect(window!.network).toMatchObject({
    graph: 'window',
    reason: expect.stringContaining('no cached.onnx'),
  });
  expect(window!.frameEvaluations).toBe(18 * 4);
  expect(cached!.network).toEqual({ graph: 'cached', reason: null });
  expect(cached!.frameEvaluations).toBe(1 + 18 + 2);
  expect(cached!.latents).toBeCloseTensor(window!.latents, { relativeToLargest: 1e-4 });
  expect(both!.latents).toEqual(cached!.latents);
});

test('weights beside the graph count as its files, and are checked like it', async () => {
  const graph = new Graph('window');
  const x = graph.input('x', ['batch', 4, 4, 8, 8]);
  graph.input('timesteps', ['batch', 4]);
  graph.input('actions', ['batch', 4, 10]);
  const offset = graph.constant('offset', new Float32Array(1024).fill(5), [4, 4, 8, 8]);
  graph.output('output', add(graph, x, offset), ['batch', 4, 4, 8, 8]);
  const { model, shards } = serialise(graph, { externalData: { prefix: 'window' } });
  const manifest = exampleManifest();
  delete manifest.codec;
  const files = withManifest(manifest, { 'window.onnx': model, [shards[0]!.path]: shards[0]!.data });
  const json = JSON.parse(new TextDecoder().decode(files['manifest.json'])) as typeof manifest;
  json.files[shards[0]!.path]!.externalDataOf = 'window.onnx';
  files['manifest.json'] = text(JSON.stringify(json));

  const bundle = await open(files);
  const output = await bundle.denoise!(new Float32Array(1024), new Float32Array(4), new Float32Array(40));
  expect(output[0]).toBe(5);
  await bundle.close();

  const altered = shards[0]!.data.slice();
  altered[0]! ^= 1;
  await expect(open({ ...files, [shards[0]!.path]: altered })).rejects.toThrow(
    /^invalid file: .*window\.0\.bin; its SHA-256 is not the manifest's/,
  );
});

test.each<[string, () => Files, RegExp]>([
  ['no manifest', () => ({}), /^missing bundle: .*; give a folder that holds manifest\.json$/],
  ['a manifest that is no JSON', () => ({ ...good(), 'manifest.json': text('{') }), /^invalid manifest: /],
  [
    'a manifest with a wrong field',
    () => ({ ...good(), 'manifest.json': text('{"version": 2}') }),
    /^invalid manifest field: version; /,
  ],
  ['no graph', () => ({ 'manifest.json': good()['manifest.json']! }), /^missing file: .*window\.onnx; /],
  [
    'a graph that is cut short',
    () => ({ ...good(), 'window.onnx': good()['window.onnx']!.slice(0, -1) }),
    /^invalid file: .*window\.onnx; it has \d+ bytes, the manifest says \d+; copy the bundle again$/,
  ],
  [
    'a graph that was altered',
    () => ({ ...good(), 'window.onnx': windowGraph(3) }),
    /^invalid file: .*window\.onnx; its SHA-256 is not the manifest's/,
  ],
  [
    'a graph whose output has another name',
    () => denoiserBundle(windowGraph(2, 'result')),
    /^missing output: output; window\.onnx gives result; build the bundle again$/,
  ],
  [
    'a cached graph without its memories',
    () => bundleOf({ 'cached.onnx': windowGraph(2) }),
    /^missing output: key_1; cached\.onnx gives output; build the bundle again$/,
  ],
])('%s ends in one sentence', async (_name, files, sentence) => {
  await expect(open(files())).rejects.toThrow(sentence);
});

test.each(['../secret.bin', '/etc/hostname', 'a/../../b.bin'])(
  'a graph that asks for weights at %s is refused before anything is read',
  async (place) => {
    const graph = new Graph('window');
    const x = graph.input('x', [1024]);
    graph.output('y', add(graph, x, graph.constant('c', new Float32Array(1024), [1024])), [1024]);
    const { model } = serialise(graph, { externalData: { prefix: place } });
    await expect(openGraphFile(join(tmpdir(), 'graph.onnx'), model, wasm)).rejects.toThrow(
      /^invalid place of weights: .*; they must lie beside the graph/,
    );
  },
);
