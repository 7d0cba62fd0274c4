import { beforeEach, expect, test } from 'vitest';
import { aborted, unsupported } from '../../../models/errors.ts';
import { fingerprintOf } from '../../../models/fingerprint.ts';
import { exampleManifest } from '../../../models/testing/manifest.ts';
import type { DeviceReport, GraphTest, Opened, SelfTest } from '../../../workers/protocol.ts';
import type { Engine } from '../engine/workers.ts';
import { createLive } from './live.ts';
import type { LiveStatus } from './live.ts';
import { createModel } from './model.ts';
import { createNotices } from './notices.ts';
import type { Settings } from './settings.ts';
import { createTrust } from './trust.ts';
import type { Trusting } from './trust.ts';
import { createTrustKept } from './trust-kept.ts';

const device = (backend: 'webgpu' | 'wasm'): DeviceReport => ({
  backend,
  adapter: backend,
  threads: 1,
  runtime: 'onnxruntime-web',
  fallbacks: [],
});
const opened = (backend: 'webgpu' | 'wasm'): Opened => ({
  manifest: exampleManifest(),
  device: device(backend),
  speed: { networkFrame: 1, decodeFrame: 1, encodeFrame: 1 },
  stored: true,
  notes: [],
});
const bundle = fingerprintOf(exampleManifest());
const GRAPH: GraphTest = {
  graph: 'window.onnx',
  backend: 'webgpu',
  against: 'WASM',
  largest: 4,
  deviation: 1e-6,
  health: 'ok',
  reference: 'ok',
  verdict: 'same',
  note: null,
  milliseconds: 20,
};
const found = (verdict: SelfTest['verdict'], backend: 'webgpu' | 'wasm'): SelfTest => ({
  device: device(backend),
  graphs: [{ ...GRAPH, backend, verdict }],
  verdict,
  reopened: null,
});

/** The page around the light: a worker that answers when it is told to, and an idle time that comes when it is told to. */
function rig(storage = new Map<string, string>()) {
  const answers: { resolve: (test: SelfTest) => void; reject: (error: Error) => void }[] = [];
  const waiting: (() => void)[] = [];
  const [model, live, notices] = [createModel(), createLive(), createNotices()];
  const kept = createTrustKept(() => ({
    getItem: (key) => storage.get(key) ?? null,
    setItem: (key, value) => void storage.set(key, value),
  }));
  const worker = {
    selfTest: () => new Promise<SelfTest>((resolve, reject) => answers.push({ resolve, reject })),
  };
  let ended = 0;
  const inference = {
    call: (work: (it: typeof worker) => unknown) => work(worker),
    end: () => void ended++,
  };
  let opens: () => Opened = () => opened('wasm');
  const trust = createTrust({
    engine: { inference } as unknown as Engine,
    model,
    live,
    notices,
    opening: {
      open: () => {
        model.setState({ status: 'ready', backend: 'auto', opened: opens() }, true);
        return Promise.resolve(opens());
      },
      cancel: () => undefined,
    },
    settings: { get: () => ({ bundle: 'maze', backend: 'auto' }) as Settings },
    kept,
    whenIdle: (work) => {
      waiting.push(work);
      return () => void waiting.splice(waiting.indexOf(work) >>> 0, 1);
    },
    now: () => new Date('2026-12-07T10:00:00Z'),
  });
  trust.follow();
  return {
    trust,
    model,
    live,
    kept,
    storage,
    answers,
    waiting,
    ended: () => ended,
    opens: (what: () => Opened) => (opens = what),
    said: () => notices.store.getState().map(({ sentence }) => sentence),
    ready: (backend: 'webgpu' | 'wasm') =>
      model.setState({ status: 'ready', backend: 'auto', opened: opened(backend) }, true),
    run: (status: LiveStatus) => live.setState({ status }),
    idle: () => waiting.splice(0).forEach((work) => work()),
    answer: async (test: SelfTest | Error) => {
      const { resolve, reject } = answers.shift()!;
      if (test instanceof Error) reject(test);
      else resolve(test);
      await settle();
    },
  };
}

/** Lets what waits for a promise go on. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

let page: ReturnType<typeof rig>;
const state = (): ReturnType<Trusting['store']['getState']> => page.trust.store.getState();

beforeEach(() => {
  page = rig();
});

test('a model that is ready is tested once the page is idle, and what was found is kept with its date', async () => {
  page.ready('wasm');
  expect(state()).toEqual({ status: 'unknown' });
  expect(page.answers).toHaveLength(0);
  page.idle();
  expect(state()).toEqual({ status: 'testing', progress: null });
  await page.answer(found('same', 'wasm'));
  const report = { ...found('same', 'wasm'), reopened: undefined, date: '2026-12-07T10:00:00.000Z' };
  expect(state()).toEqual({ status: 'done', report });
  expect(page.said()).toEqual([]);
});

test('a page that is loaded again shows the kept report and tests nothing', async () => {
  page.ready('wasm');
  page.idle();
  await page.answer(found('same', 'wasm'));
  page = rig(page.storage);
  page.ready('wasm');
  expect(state()).toMatchObject({ status: 'done', report: { verdict: 'same' } });
  expect(page.waiting).toHaveLength(0);
});

test('no test begins while a run goes; one that gave way begins again after it', async () => {
  page.ready('wasm');
  page.run('starting');
  expect(page.waiting).toHaveLength(0);
  page.run('idle');
  page.idle();
  expect(page.answers).toHaveLength(1);
  page.run('starting');
  await page.answer(aborted('the self-test'));
  expect(state()).toEqual({ status: 'unknown' });
  expect(page.waiting).toHaveLength(0);
  page.run('idle');
  page.idle();
  await page.answer(found('same', 'wasm'));
  expect(state().status).toBe('done');
});

test('a device that was left is told, kept for the next visit, and the model is tested where it is now', async () => {
  page.ready('webgpu');
  page.idle();
  const reopened = { sentence: 'WebGPU was left.', opened: opened('wasm') };
  await page.answer({ ...found('off', 'webgpu'), reopened });
  expect(page.said()).toEqual(['WebGPU was left.']);
  expect(page.model.getState()).toMatchObject({ status: 'ready', opened: { device: { backend: 'wasm' } } });
  expect(page.kept.distrusted()).toMatchObject([{ bundle, adapter: 'webgpu', sentence: 'WebGPU was left.' }]);
  page.idle();
  await page.answer(found('same', 'wasm'));
  expect(state()).toMatchObject({ status: 'done', report: { device: { backend: 'wasm' } } });
});

test('testing again gives the device that was left another chance, in a fresh worker', async () => {
  page.kept.keep(bundle, { ...found('off', 'webgpu'), date: '' }, 'WebGPU was left.');
  page.ready('wasm');
  page.opens(() => opened('webgpu'));
  const again = page.trust.again();
  await settle();
  expect(page.ended()).toBe(1);
  expect(page.kept.distrusted()).toEqual([]);
  await page.answer(found('same', 'webgpu'));
  await again;
  expect(state()).toMatchObject({
    status: 'done',
    report: { device: { backend: 'webgpu' }, verdict: 'same' },
  });
});

test('testing again where nothing was left keeps the worker; without a model it opens one', async () => {
  page.ready('wasm');
  page.idle();
  await page.answer(found('same', 'wasm'));
  const again = page.trust.again();
  await settle();
  expect(page.ended()).toBe(0);
  await page.answer(found('close', 'wasm'));
  await again;
  expect(state()).toMatchObject({ report: { verdict: 'close' } });
  page = rig();
  void page.trust.again();
  await settle();
  await page.answer(found('same', 'wasm'));
  expect(state()).toMatchObject({ status: 'done' });
});

test('numbers that are off with nowhere to go are told once, and again only when they are tested again', async () => {
  page.ready('wasm');
  page.idle();
  await page.answer(found('off', 'wasm'));
  expect(page.said()).toHaveLength(1);
  expect(page.said()[0]).toMatch(/^The self-test found wrong numbers in window\.onnx;/);
  page = rig(page.storage);
  page.ready('wasm');
  expect(state()).toMatchObject({ status: 'done', report: { verdict: 'off' } });
  expect(page.said()).toEqual([]);
});

test('a model that was refused because of its numbers is off; one that could not be fetched is not tested', () => {
  const failed = (sentence: string) => page.model.setState({ status: 'failed', sentence, details: '' }, true);
  failed(
    'Unsupported device: onnxruntime gives numbers that are not finite as pixels of decode.onnx; use another.',
  );
  expect(state()).toMatchObject({
    status: 'refused',
    sentence: expect.stringContaining('decode.onnx') as string,
  });
  failed('Missing file: decode.onnx; check the address.');
  expect(state()).toEqual({ status: 'unknown' });
});

test('a self-test after which no model is open fails, and so does the model', async () => {
  page.ready('webgpu');
  page.idle();
  await page.answer(unsupported('memory', 'none', 'close other tabs'));
  expect(state()).toMatchObject({
    status: 'failed',
    sentence: 'Unsupported memory: none; close other tabs.',
  });
  expect(page.model.getState().status).toBe('failed');
});

test('what comes back about a model that is open no more is dropped', async () => {
  page.ready('wasm');
  page.idle();
  page.model.setState({ status: 'empty' }, true);
  expect(state()).toEqual({ status: 'unknown' });
  await page.answer(found('off', 'wasm'));
  expect(state()).toEqual({ status: 'unknown' });
  expect(page.said()).toEqual([]);
});
