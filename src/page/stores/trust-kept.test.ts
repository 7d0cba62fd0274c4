import { expect, test } from 'vitest';
import type { DeviceReport } from '../../../workers/protocol.ts';
import { createTrustKept } from './trust-kept.ts';
import type { Report } from './trust-kept.ts';

const GPU: DeviceReport = {
  backend: 'webgpu',
  adapter: 'acme one',
  threads: 1,
  runtime: 'onnxruntime-web 1 WebGPU',
  fallbacks: [],
};

function report(device = GPU, date = '2026-12-07T10:00:00.000Z'): Report {
  return { device, graphs: [], verdict: 'same', date };
}

/** What localStorage is to us. */
function memory() {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
  return { items, storage };
}

test('a report is found again for its bundle, adapter and runtime, and for no other', () => {
  const { storage } = memory();
  createTrustKept(() => storage).keep('maze-1', report(), null);
  const kept = createTrustKept(() => storage);
  expect(kept.find('maze-1', { ...GPU, fallbacks: ['something else'] })).toEqual(report());
  expect(kept.find('maze-2', GPU)).toBeNull();
  expect(kept.find('maze-1', { ...GPU, adapter: 'acme two' })).toBeNull();
  expect(kept.find('maze-1', { ...GPU, runtime: 'onnxruntime-web 2 WebGPU' })).toBeNull();
  expect(kept.find('maze-1', { ...GPU, backend: 'wasm' })).toBeNull();
  expect(kept.distrusted()).toEqual([]);
});

test('a device that was left is distrusted until the bundle is forgotten, and its report is not shown as its state', () => {
  const { storage } = memory();
  const kept = createTrustKept(() => storage);
  kept.keep('maze-1', report(), 'It was left.');
  kept.keep('maze-2', report(), null);
  expect(kept.find('maze-1', GPU)).toBeNull();
  expect(kept.distrusted()).toEqual([
    { bundle: 'maze-1', adapter: 'acme one', runtime: 'onnxruntime-web 1 WebGPU', sentence: 'It was left.' },
  ]);
  kept.drop('maze-1');
  expect(kept.distrusted()).toEqual([]);
  expect(kept.find('maze-2', GPU)).not.toBeNull();
});

test('a later report takes the place of an earlier one, and the oldest go when there are many', () => {
  const { storage } = memory();
  const kept = createTrustKept(() => storage);
  kept.keep('maze-1', report(), 'It was left.');
  kept.keep('maze-1', report(GPU, '2026-12-08T10:00:00.000Z'), null);
  expect(kept.distrusted()).toEqual([]);
  expect(kept.find('maze-1', GPU)!.date).toBe('2026-12-08T10:00:00.000Z');
  for (let i = 0; i < 40; i++) kept.keep(`other-${i}`, report(), null);
  expect(kept.find('maze-1', GPU)).toBeNull();
  expect(kept.find('other-0', GPU)).not.toBeNull();
});

test.each([
  'not JSON',
  '{}',
  '[1, null, {"bundle": "maze-1"}]',
  '[{"bundle":"maze-1","left":null,"report":{}}]',
])('what is no report of ours is as good as nothing: %s', (text) => {
  const { storage, items } = memory();
  createTrustKept(() => storage).keep('x', report(), null);
  items.set([...items.keys()][0]!, text);
  const kept = createTrustKept(() => storage);
  expect(kept.find('maze-1', GPU)).toBeNull();
  expect(kept.distrusted()).toEqual([]);
  kept.keep('maze-1', report(), null);
  expect(kept.find('maze-1', GPU)).toEqual(report());
});

test('where nothing may be stored nothing is kept, and nothing fails', () => {
  const kept = createTrustKept(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  kept.keep('maze-1', report(), null);
  expect(kept.find('maze-1', GPU)).toBeNull();
});
