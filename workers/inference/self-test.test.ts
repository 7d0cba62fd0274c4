import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fingerprintOf } from '../../models/fingerprint.ts';
import { defaultSpec } from '../../models/run.ts';
import type { BackendChoice, InferenceWorker, SelfTest, SelfTestProgress } from '../protocol.ts';
import { bundleOf, denoiserBundle, networkBundle, windowGraph } from '../testing/bundle.ts';
import type { Files } from '../testing/bundle.ts';
import { latentClip } from '../testing/clip.ts';
import { decodeGraph, wholeBundle } from '../testing/codec.ts';
import { distorted } from '../testing/distort.ts';
import { createRig } from '../testing/platform.ts';
import type { Rig } from '../testing/platform.ts';
import { serve } from '../testing/serve.ts';
import type { Host } from '../testing/serve.ts';
import { memoryShelf } from '../testing/shelf.ts';
import { createQueue } from './queue.ts';
import { createStore } from './store.ts';
import { createInference } from './worker.ts';

/** What the rig's `webgpu` does to its outputs. */
type Fault = (output: string, data: Float32Array) => void;

let host: Host;
let rig: Rig;
let worker: InferenceWorker;
let fault: Fault;

beforeAll(async () => {
  host = await serve();
});
afterAll(() => host.close());

beforeEach(() => {
  fault = () => undefined;
  const calls = createQueue();
  rig = createRig(calls);
  const shelf = memoryShelf();
  worker = createInference(
    {
      fetch,
      store: createStore(() => Promise.resolve(shelf)),
      now: () => performance.now(),
      openPlatform: async (backend) => {
        const platform = await rig.open(backend);
        return backend === 'webgpu' ? distorted(platform, (...output) => fault(...output)) : platform;
      },
    },
    createQueue(),
    calls,
  );
});

function publish(files: Files): void {
  host.files.clear();
  for (const [name, bytes] of Object.entries(files)) host.files.set(name, bytes);
  host.asked.length = 0;
}

function open(backend: BackendChoice) {
  return worker.open({ url: host.url, backend }, () => undefined);
}

async function tested(files: Files, backend: BackendChoice): Promise<SelfTest> {
  publish(files);
  await open(backend);
  return worker.selfTest(() => undefined);
}

/** A decoder that every input suits. */
const sound = () => wholeBundle(decodeGraph(1000));
/** One that warm-up's latents suit, but not those of a run, which have four times their size: 1 / 0.5 squared. */
const unsound = () => wholeBundle(decodeGraph(2));

test('on WASM the cached graph is held against the window, and the codec is looked at, with that said', async () => {
  const { device, graphs, verdict, reopened } = await tested(sound(), 'wasm');
  expect(device.backend).toBe('wasm');
  expect(graphs.map(({ graph }) => graph)).toEqual(['cached.onnx', 'encode.onnx', 'decode.onnx']);
  const [cached, encode, decode] = graphs;
  expect(cached).toMatchObject({
    against: 'window.onnx',
    health: 'ok',
    reference: 'ok',
    verdict: 'same',
    note: null,
  });
  expect(cached!.deviation).toBeLessThan(1e-5);
  for (const graph of [encode, decode]) {
    expect(graph).toMatchObject({ against: null, deviation: null, health: 'ok', verdict: null });
    expect(graph!.note).toContain('only looked at');
    expect(graph!.largest).toBeGreaterThan(0.1);
  }
  expect(verdict).toBe('same');
  expect(reopened).toBeNull();
});

test('two routes that do not agree on WASM are off, and there is nowhere to go', async () => {
  const files = { ...networkBundle('cached'), 'window.onnx': windowGraph(2) };
  delete (files as Files)['manifest.json'];
  const { graphs, verdict, reopened } = await tested(bundleOf(files), 'wasm');
  expect(graphs).toMatchObject([
    { graph: 'cached.onnx', against: 'window.onnx', health: 'ok', verdict: 'off' },
  ]);
  expect(graphs[0]!.deviation).toBeGreaterThan(0.1);
  expect(verdict).toBe('off');
  expect(reopened).toBeNull();
});

test('a model of one route on WASM is healthy and not compared: nothing is claimed of it', async () => {
  const { graphs, verdict } = await tested(networkBundle('window'), 'wasm');
  expect(graphs).toMatchObject([{ graph: 'window.onnx', against: null, health: 'ok', verdict: null }]);
  expect(verdict).toBeNull();
});

test('a sound device gives what WASM gives, graph by graph, and is kept', async () => {
  const { device, graphs, verdict, reopened } = await tested(sound(), 'auto');
  expect(device.backend).toBe('webgpu');
  expect(graphs.map(({ against, deviation }) => [against, deviation])).toEqual([
    ['WASM', 0],
    ['WASM', 0],
    ['WASM', 0],
  ]);
  expect(verdict).toBe('same');
  expect(reopened).toBeNull();
  // The reference's platform is opened once and closed again, the one in use is not.
  expect(rig.opened).toEqual(['webgpu', 'wasm']);
  expect(rig.closed).toBe(1);
  // Everything came from the store.
  expect(host.asked.filter((path) => path === 'decode.onnx')).toHaveLength(1);
});

test('rounding as in float16 is close, and is kept', async () => {
  fault = (_, data) => data.forEach((value, i) => (data[i] = value * (1 + (i % 2 ? 1e-3 : -1e-3))));
  const { verdict, reopened } = await tested(sound(), 'auto');
  expect(verdict).toBe('close');
  expect(reopened).toBeNull();
});

test.each<[string, Fault, RegExp]>([
  [
    'wrong by more than rounding',
    (output, data) =>
      output === 'pixels' && data.forEach((value, i) => (data[i] = value * (i % 2 ? 1 : 1.3))),
    /decode\.onnx differs from WASM by 30 %\.$/,
  ],
  [
    'the memory of earlier frames wrong',
    (output, data) => output.startsWith('value_') && data.forEach((value, i) => (data[i] = -20 * value)),
    /cached\.onnx differs from WASM by [\d.]+ %\.$/,
  ],
])('a device with %s is left: the model opens on WASM, says why, and runs', async (_, wrong, sentence) => {
  fault = wrong;
  const { device, verdict, reopened } = await tested(sound(), 'auto');
  expect(device.backend).toBe('webgpu');
  expect(verdict).toBe('off');
  expect(reopened!.sentence).toMatch(/^WebGPU was left, because its numbers were wrong in the self-test: /);
  expect(reopened!.sentence).toMatch(sentence);
  expect(reopened!.opened.device).toMatchObject({ backend: 'wasm', fallbacks: [reopened!.sentence] });
  // Who opens it again gets what is open, and a run says what it ran on.
  expect((await open('auto')).device.backend).toBe('wasm');
  const spec = { ...defaultSpec(reopened!.opened.manifest), horizon: 4 };
  const pixels = { data: new Uint8Array(4 * 64 * 64 * 3).fill(90), count: 4, height: 64, width: 64 };
  const clip = { ...latentClip(), length: 4, latents: null, pixels };
  const result = await worker.run({ id: 'a', spec, clip, preview: false }, () => undefined);
  expect(result.provenance.backend).toBe('wasm');
  // On WASM now, it is tested there.
  expect(await worker.selfTest(() => undefined)).toMatchObject({ verdict: 'same', reopened: null });
});

test('a device that gives NaN in a run but not in warm-up is left for WASM', async () => {
  let calls = 0;
  // The encoder's warm-up is two calls or more; its mean is asked for alone only by a run and by the self-test.
  fault = (output, data) => {
    if (output === 'mean' && data.length === 256 && ++calls > 6) data[3] = NaN;
  };
  const { graphs, reopened } = await tested(sound(), 'auto');
  expect(graphs[1]).toMatchObject({ graph: 'encode.onnx', health: 'nan', reference: 'ok', verdict: 'off' });
  expect(reopened!.sentence).toMatch(/encode\.onnx gives numbers that are not numbers\.$/);
});

test('a file that gives NaN on WASM too is off; leaving the device would not help, and it is not left', async () => {
  const { graphs, verdict, reopened } = await tested(unsound(), 'auto');
  expect(graphs[2]).toMatchObject({ graph: 'decode.onnx', health: 'nan', reference: 'nan', verdict: 'off' });
  expect(graphs[2]).toMatchObject({ largest: null, deviation: null });
  expect(verdict).toBe('off');
  expect(reopened).toBeNull();
  expect((await tested(unsound(), 'wasm')).graphs[2]).toMatchObject({ health: 'nan', verdict: 'off' });
});

test('a device that was wrong before is not taken again for this bundle and runtime, for others it is', async () => {
  publish(sound());
  const { manifest, device } = await open('auto');
  const { adapter, runtime } = device;
  const about = { bundle: fingerprintOf(manifest), adapter, runtime, sentence: 'It was wrong before.' };
  const again = async (...distrusted: (typeof about)[]) => {
    await open('wasm');
    return (await worker.open({ url: host.url, backend: 'auto', distrusted }, () => undefined)).device;
  };
  expect(await again(about)).toMatchObject({ backend: 'wasm', fallbacks: [about.sentence] });
  expect(await again({ ...about, runtime: 'a newer one' })).toMatchObject({
    backend: 'webgpu',
    fallbacks: [],
  });
  expect(await again({ ...about, bundle: 'another' })).toMatchObject({ backend: 'webgpu' });
  expect(await again({ ...about, adapter: 'another' })).toMatchObject({ backend: 'webgpu' });
});

test('a run that is asked for ends the self-test, as aborted, and what it had opened is closed', async () => {
  publish(networkBundle('window', 'cached'));
  const { manifest } = await open('auto');
  const seen: SelfTestProgress[] = [];
  const testing = worker.selfTest((progress) => seen.push(progress));
  const spec = defaultSpec(manifest);
  const running = worker.run({ id: 'a', spec, clip: latentClip(), preview: false }, () => undefined);
  await expect(testing).rejects.toMatchObject({ name: 'aborted' });
  expect(seen.length).toBeLessThanOrEqual(1);
  expect((await running).networkCalls).toBeGreaterThan(0);
  expect(rig.opened.length - rig.closed).toBe(1);
  expect(await worker.selfTest((progress) => seen.push(progress))).toMatchObject({ verdict: 'same' });
  expect(seen.at(-1)).toEqual({ graph: 'cached.onnx', index: 0, count: 1 });
});

test('a device that is lost under the self-test is left, with its sentence', async () => {
  publish(denoiserBundle(windowGraph(2)));
  await open('auto');
  rig.lose('driver reset');
  const { graphs, reopened } = await worker.selfTest(() => undefined);
  expect(graphs).toEqual([]);
  expect(reopened!.sentence).toContain('WebGPU lost its device (driver reset)');
  expect(reopened!.opened.device.backend).toBe('wasm');
});

test('a reference that cannot be had is told, and healthy numbers keep the device', async () => {
  publish(sound());
  await open('auto');
  const broken = createInference(
    {
      fetch: () => Promise.reject(new Error('offline')),
      store: createStore(() => Promise.reject(new Error('no store'))),
      now: () => performance.now(),
      openPlatform: rig.open,
    },
    createQueue(),
    createQueue(),
  );
  await expect(broken.selfTest(() => undefined)).rejects.toThrow('missing model: none is open');
  host.files.delete('encode.onnx');
  await worker.forget();
  const { graphs, verdict, reopened } = await worker.selfTest(() => undefined);
  expect(graphs[1]).toMatchObject({ graph: 'encode.onnx', against: null, health: 'ok', verdict: null });
  expect(graphs[1]!.note).toMatch(/^It could not be compared: missing file: .*encode\.onnx/);
  expect(verdict).toBe('same');
  expect(reopened).toBeNull();
});
