import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSha256 } from './sha256-stream.ts';

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 167 + 13) & 255);
const node = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('bytes that come in pieces of any length have the digest of the whole', () => {
  const bytes = bytesOf(1000);
  for (const piece of [1, 7, 63, 64, 65, 128, 999]) {
    const hash = createSha256();
    for (let at = 0; at < bytes.length; at += piece) hash.update(bytes.subarray(at, at + piece));
    expect(hash.digest(), `pieces of ${String(piece)}`).toBe(node(bytes));
  }
});

test('a digest may be taken in between without disturbing what follows', () => {
  const bytes = bytesOf(300);
  const hash = createSha256().update(bytes.subarray(0, 120));
  expect(hash.digest()).toBe(node(bytes.subarray(0, 120)));
  expect(hash.update(bytes.subarray(120)).digest()).toBe(node(bytes));
});

test('nothing, and empty pieces, have the digest of no bytes', () => {
  expect(createSha256().digest()).toBe(node(new Uint8Array(0)));
  expect(createSha256().update(new Uint8Array(0)).digest()).toBe(node(new Uint8Array(0)));
});
