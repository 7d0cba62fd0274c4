import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { unsupported } from '../../models/errors.ts';
import type { LoadProgress } from '../protocol.ts';
import { bundleOf, denoiserBundle, networkBundle, windowGraph } from '../testing/bundle.ts';
import type { Files } from '../testing/bundle.ts';
import { createRig } from '../testing/platform.ts';
import type { Rig } from '../testing/platform.ts';
import { serve } from '../testing/serve.ts';
import type { Host } from '../testing/serve.ts';
import { memoryShelf } from '../testing/shelf.ts';
import { openBundle } from './bundle.ts';
import type { OpenBundle } from './bundle.ts';
import type { Backend } from './device.ts';
import { createQueue } from './queue.ts';
import { createStore } from './store.ts';

let host: Host;
let rig: Rig;
let shelf: ReturnType<typeof memoryShelf>;

beforeAll(async () => {
  host = await serve();
});
afterAll(() => host.close());
beforeEach(() => {
  rig = createRig(createQueue());
  shelf = memoryShelf();
});

function publish(files: Files): void {
  host.files.clear();
  host.asked.length = 0;
  for (const [name, bytes] of Object.entries(files)) host.files.set(name, bytes);
}

function open(rungs: Backend[], events: LoadProgress[] = [], openPlatform = rig.open): Promise<OpenBundle> {
  const sources = { fetch, store: createStore(() => Promise.resolve(shelf)), now: () => performance.now() };
  return openBundle(host.url, rungs, [], { ...sources, openPlatform }, (event) => events.push(event));
}

test('a bundle opens with its manifest, its speed and a session for each graph', async () => {
  publish(denoiserBundle(windowGraph(2)));
  const events: LoadProgress[] = [];
  const { opened, sessions, close } = await open(['webgpu', 'wasm'], events);
  expect(opened.manifest.id).toBe('tiny-maze');
  expect(opened.device).toMatchObject({ backend: 'webgpu', fallbacks: [] });
  expect(opened.speed.networkFrame).toBeGreaterThan(0);
  expect(opened.speed).toMatchObject({ encodeFrame: 0, decodeFrame: 0 });
  expect(sessions.encode).toBeNull();
  expect([...new Set(events.map(({ stage }) => stage))]).toEqual([
    'download',
    'verify',
    'compile',
    'warm-up',
  ]);
  const x = { dtype: 'float32', shape: [1, 4, 4, 8, 8], data: new Float32Array(1024).fill(3) } as const;
  const timesteps = { dtype: 'float32', shape: [1, 4], data: new Float32Array(4) } as const;
  const actions = { dtype: 'float32', shape: [1, 4, 10], data: new Float32Array(40) } as const;
  const { output } = await sessions.window!.run({ x, timesteps, actions });
  expect(output).toMatchObject({ dtype: 'float32', shape: [1, 4, 4, 8, 8] });
  expect(output!.data[1023]).toBe(12);
  await close();
  expect(rig.closed).toBe(1);
});

test('opened a second time, only the manifest is asked for', async () => {
  publish(denoiserBundle(windowGraph(2)));
  await (await open(['wasm'])).close();
  expect(host.asked).toEqual(['manifest.json', 'window.onnx']);
  host.asked.length = 0;
  const { opened, close } = await open(['wasm']);
  expect(opened.stored).toBe(true);
  expect(host.asked).toEqual(['manifest.json']);
  await close();
});

test('a backend that is not there is left with its sentence, and the weights are not fetched again', async () => {
  publish(denoiserBundle(windowGraph(2)));
  const missing: Rig['open'] = (backend) =>
    backend === 'webgpu' ? Promise.reject(unsupported('adapter', 'none', 'use WASM')) : rig.open(backend);
  const { opened, close } = await open(['webgpu', 'wasm'], [], missing);
  expect(opened.device.backend).toBe('wasm');
  expect(opened.device.fallbacks).toEqual(['Unsupported adapter: none; use WASM.']);
  expect(host.asked).toEqual(['manifest.json', 'window.onnx']);
  await close();
});

test.each([
  ['numbers that are not finite', 1e30],
  ['nothing but zeros', 0],
])('a backend that gives %s is left, closed, and named', async (fault, factor) => {
  publish(denoiserBundle(windowGraph(factor)));
  await expect(open(['webgpu', 'wasm'])).rejects.toThrow(
    new RegExp(`^unsupported device: onnxruntime-web .* wasm gives ${fault} as output of window.onnx`),
  );
  expect(rig.opened).toEqual(['webgpu', 'wasm']);
  expect(rig.closed).toBe(2);
});

test('a device that is lost while the model opens is the next rung’s turn', async () => {
  publish(denoiserBundle(windowGraph(2)));
  const losing: Rig['open'] = async (backend) => {
    const platform = await rig.open(backend);
    if (backend === 'webgpu') rig.lose('driver reset');
    return platform;
  };
  const { opened, close } = await open(['webgpu', 'wasm'], [], losing);
  expect(opened.device.backend).toBe('wasm');
  expect(opened.device.fallbacks[0]).toContain('WebGPU lost its device (driver reset)');
  await close();
});

test('a bundle of both denoiser graphs opens the cached one, and fetches no other', async () => {
  publish(networkBundle('window', 'cached'));
  const { opened, sessions, refused, close } = await open(['wasm']);
  expect(host.asked).toEqual(['manifest.json', 'cached.onnx']);
  expect(sessions.window).toBeNull();
  expect(sessions.cached!.outputs).toContain('key_1');
  expect(refused).toBeNull();
  expect(opened.speed.networkFrame).toBeGreaterThan(0);
  expect(opened.device.fallbacks).toEqual([]);
  await close();
});

test('a cached graph that does not run here leaves its place to the window, and says so', async () => {
  const files = networkBundle('window', 'cached');
  const broken = { 'window.onnx': files['window.onnx']!, 'cached.onnx': files['cached.onnx']!.slice(0, 200) };
  publish(bundleOf(broken));
  const { opened, sessions, refused, close } = await open(['wasm']);
  expect(host.asked).toEqual(['manifest.json', 'cached.onnx', 'window.onnx']);
  expect(sessions.cached).toBeNull();
  expect(sessions.window!.outputs).toEqual(['output']);
  expect(refused).toMatch(
    /^Every frame is computed in every row, because this device does not run cached\.onnx \(unsupported graph cached\.onnx on WASM: .*\)\.$/,
  );
  expect(opened.device.fallbacks).toEqual([refused]);
  await close();
  expect(rig.closed).toBe(1);
});

test('a graph that no runtime can read, with the right hash, ends in a sentence that names it', async () => {
  publish(denoiserBundle(windowGraph(2).slice(0, 200)));
  await expect(open(['wasm'])).rejects.toThrow(
    /^unsupported graph window\.onnx on WASM: .*; the runtime cannot open it/,
  );
  expect(rig.closed).toBe(1);
});

test('a graph whose output has another name is refused when it is opened', async () => {
  publish(denoiserBundle(windowGraph(2, 'result')));
  await expect(open(['wasm'])).rejects.toThrow('missing output: output; window.onnx gives result; build');
});

test('a wrong manifest and a missing one are refused before any weight is fetched', async () => {
  const files = denoiserBundle(windowGraph(2));
  const json = JSON.parse(new TextDecoder().decode(files['manifest.json'])) as Record<string, unknown>;
  delete json['title'];
  publish({ ...files, 'manifest.json': new TextEncoder().encode(JSON.stringify(json)) });
  await expect(open(['wasm'])).rejects.toThrow('missing manifest field: title');
  expect(host.asked).toEqual(['manifest.json']);
  publish({});
  await expect(open(['wasm'])).rejects.toThrow(/^missing file: .*manifest\.json/);
});
