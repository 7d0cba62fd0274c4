import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultSpec } from '../../models/run.ts';
import type { RunSpec } from '../../models/run.ts';
import type { InferenceWorker, RunEvent } from '../protocol.ts';
import { denoiserBundle, networkBundle, windowGraph } from '../testing/bundle.ts';
import { latentClip } from '../testing/clip.ts';
import { createRig } from '../testing/platform.ts';
import type { Rig } from '../testing/platform.ts';
import { serve } from '../testing/serve.ts';
import type { Host } from '../testing/serve.ts';
import { memoryShelf } from '../testing/shelf.ts';
import { createQueue } from './queue.ts';
import { createStore } from './store.ts';
import { createInference } from './worker.ts';

let host: Host;
let rig: Rig;
let worker: InferenceWorker;
let spec: RunSpec;

beforeAll(async () => {
  host = await serve();
  // Factor 0.3: the numbers stay small over fifty rows, whatever the schedule does with them.
  for (const [name, bytes] of Object.entries(denoiserBundle(windowGraph(0.3)))) host.files.set(name, bytes);
});
afterAll(() => host.close());

beforeEach(async () => {
  const calls = createQueue();
  rig = createRig(calls);
  const shelf = memoryShelf();
  const sources = { fetch, store: createStore(() => Promise.resolve(shelf)), now: () => performance.now() };
  worker = createInference({ ...sources, openPlatform: rig.open }, createQueue(), calls);
  const { manifest } = await worker.open({ url: host.url, backend: 'auto' }, () => undefined);
  const { sampler, ...rest } = defaultSpec(manifest);
  spec = { ...rest, sampler: { ...sampler, steps: 4 } };
});

const clip = latentClip();

function run(id: string, onEvent: (event: RunEvent) => void = () => undefined) {
  return worker.run({ id, spec, clip, preview: false }, onEvent);
}

test('a run reports every row in order and counts down to its end', async () => {
  const events: RunEvent[] = [];
  const result = await run('a', (event) => events.push(event));
  const rows = events.filter((event) => event.kind === 'row');
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  expect(rows.at(-1)).toMatchObject({
    rows: 12,
    window: 0,
    windows: 1,
    levels: [1, 0, 0, 0],
    secondsLeft: 0,
  });
  expect(result.networkCalls).toBe(12);
  expect(result.provenance).toMatchObject({ bundle: 'tiny-maze', backend: 'webgpu', adapter: 'Node' });
});

test('the same spec gives the same numbers', async () => {
  const [first, second] = [await run('a'), await run('b')];
  expect(second.latents).toEqual(first.latents);
});

test('a cancelled run stops after its row, as aborted, and the next one runs', async () => {
  let rows = 0;
  const running = run('a', () => {
    rows++;
    if (rows === 3) void worker.cancel('a');
  });
  await expect(running).rejects.toMatchObject({ name: 'aborted' });
  expect(rows).toBe(3);
  expect((await run('a')).networkCalls).toBe(12);
});

test('a run that still waits can be cancelled; it never begins', async () => {
  const running = run('a');
  const events: RunEvent[] = [];
  const waiting = run('b', (event) => events.push(event));
  await worker.cancel('b');
  await expect(waiting).rejects.toMatchObject({ name: 'aborted' });
  expect(events).toEqual([]);
  expect((await running).networkCalls).toBe(12);
});

test('a device lost in the middle begins the run again on the next rung, with the same numbers', async () => {
  const undisturbed = await run('a');
  const events: RunEvent[] = [];
  const result = await run('b', (event) => {
    events.push(event);
    if (events.length === 5) rig.lose('driver reset');
  });
  const kinds = events.map((event) => (event.kind === 'row' ? event.row : event.kind));
  expect(kinds.slice(0, 7)).toEqual([1, 2, 3, 4, 5, 'device', 1]);
  const change = events.find((event) => event.kind === 'device')!;
  expect(change.device.backend).toBe('wasm');
  expect(change.device.fallbacks.join(' ')).toContain('lost its device (driver reset)');
  expect(result.provenance.backend).toBe('wasm');
  expect(result.latents).toEqual(undisturbed.latents);
  expect(rig.opened).toEqual(['webgpu', 'wasm']);
});

test('a spec that the model cannot run is one sentence, and the worker goes on', async () => {
  await expect(
    worker.run({ id: 'a', spec: { ...spec, context: 5 }, clip, preview: false }, () => undefined),
  ).rejects.toThrow(/^invalid /);
  expect((await run('b')).networkCalls).toBe(12);
});

test('the open model is not opened again; another address closes it first', async () => {
  await worker.open({ url: host.url, backend: 'auto' }, () => undefined);
  expect(rig.opened).toEqual(['webgpu']);
  await expect(worker.open({ url: `${host.url}none/`, backend: 'auto' }, () => undefined)).rejects.toThrow(
    'missing file',
  );
  expect(rig.closed).toBe(1);
  await expect(run('a')).rejects.toThrow('missing model: none is open');
});

test('a model with a cached graph runs on it: each frame is computed when it changes, and once more', async () => {
  for (const [name, bytes] of Object.entries(networkBundle('window', 'cached')))
    host.files.set(`both/${name}`, bytes);
  await worker.open({ url: `${host.url}both/`, backend: 'wasm' }, () => undefined);
  const result = await run('a');
  expect(result.network).toEqual({ graph: 'cached', reason: null });
  expect(result).toMatchObject({ networkCalls: 12, frameEvaluations: 1 + 12 + 2 });
});

test('models can be switched ten times', async () => {
  for (let i = 0; i < 10; i++) {
    await worker.open({ url: host.url, backend: i % 2 === 0 ? 'wasm' : 'auto' }, () => undefined);
    expect((await run(`run ${String(i)}`)).networkCalls).toBe(12);
  }
  expect(rig.closed).toBe(10);
});
