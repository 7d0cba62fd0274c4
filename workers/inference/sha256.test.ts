import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

const node = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 167 + 13) & 255);

test("the browser's own digest agrees with another implementation", async () => {
  expect(await sha256(bytesOf(1000))).toBe(node(bytesOf(1000)));
});

test('without crypto.subtle the digest is the same, at every length around a block of 64 bytes', async () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_003]) {
    expect(await sha256(bytesOf(length), null), String(length)).toBe(node(bytesOf(length)));
  }
});

test('a view into a larger buffer is hashed by its own bytes only', async () => {
  const view = bytesOf(300).subarray(7, 207);
  expect(await sha256(view, null)).toBe(node(view));
  expect(await sha256(view)).toBe(node(view));
});
