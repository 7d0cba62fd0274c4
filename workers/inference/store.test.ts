import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';
import { createStore } from './store.ts';
import type { StoredFile } from './store.ts';
import { memoryShelf } from '../testing/shelf.ts';

const address = 'https://example.test/bundles/maze/window.onnx';

async function fileOf(bytes: Uint8Array, url = address): Promise<StoredFile> {
  return { url, sha256: await sha256(bytes), bytes: bytes.length };
}

const weights = Uint8Array.from([1, 2, 3, 4, 5]);

test('a kept file is given back to the same address and hash only', async () => {
  const shelf = memoryShelf();
  const store = createStore(() => Promise.resolve(shelf));
  const file = await fileOf(weights);
  expect(await store.keep(file, weights)).toBeNull();
  expect(await store.take(file)).toEqual(weights);
  expect(await store.take({ ...file, url: 'https://example.test/other/window.onnx' })).toBeNull();
  expect(await store.take({ ...file, sha256: '0'.repeat(64) })).toBeNull();
});

test('a stored file whose bytes have changed is removed and not used', async () => {
  const shelf = memoryShelf();
  const store = createStore(() => Promise.resolve(shelf));
  const file = await fileOf(weights);
  await store.keep(file, weights);
  const [key] = [...shelf.entries.keys()];
  for (const wrong of [Uint8Array.from([1, 2, 3, 4, 6]), weights.subarray(0, 3), new Uint8Array(0)]) {
    shelf.entries.set(key!, new Response(wrong));
    expect(await store.take(file)).toBeNull();
    expect(shelf.entries.size).toBe(0);
  }
});

test('a new version of a file takes the place of the old one and of nothing else', async () => {
  const shelf = memoryShelf();
  const store = createStore(() => Promise.resolve(shelf));
  const other = await fileOf(weights, 'https://example.test/bundles/maze/decode.onnx?v=2');
  await store.keep(other, weights);
  await store.keep(await fileOf(weights), weights);
  const newer = Uint8Array.from([9, 9]);
  await store.keep(await fileOf(newer), newer);
  expect(shelf.entries.size).toBe(2);
  expect(await store.take(other)).toEqual(weights);
  expect(await store.take(await fileOf(newer))).toEqual(newer);
});

test('a full disk is a sentence, not an end', async () => {
  const shelf = memoryShelf();
  shelf.put = () => Promise.reject(new DOMException('the quota has been exceeded', 'QuotaExceededError'));
  const store = createStore(() => Promise.resolve(shelf));
  const note = await store.keep(await fileOf(weights), weights);
  expect(note).toContain('the quota has been exceeded');
  expect(note).toContain('the model works');
});

test('a browser without a store gives nothing, keeps nothing and frees nothing', async () => {
  const store = createStore(() => Promise.reject(new Error('caches is not defined')));
  const file = await fileOf(weights);
  expect(await store.take(file)).toBeNull();
  expect(await store.keep(file, weights)).toContain('could not be kept');
  expect(await store.forget()).toBe(0);
});

test('forgetting frees the bytes of everything that was kept', async () => {
  const shelf = memoryShelf();
  const store = createStore(() => Promise.resolve(shelf));
  await store.keep(await fileOf(weights), weights);
  await store.keep(await fileOf(weights, 'https://example.test/b.onnx'), weights);
  expect(await store.forget()).toBe(10);
  expect(shelf.entries.size).toBe(0);
  expect(await store.forget()).toBe(0);
});
