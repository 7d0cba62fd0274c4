import { afterEach, beforeEach, expect, test } from 'vitest';
import { downloadRig, PIECE, sha256Of } from '../../testing/downloads.ts';
import type { DownloadRig } from '../../testing/downloads.ts';

let rig: DownloadRig;
beforeEach(async () => {
  rig = await downloadRig();
});
afterEach(() => rig.close());

test('a file comes byte for byte, in ranges on four connections at a time', async () => {
  const bytes = rig.put('model.bin', 10 * PIECE + 123);
  rig.host.fault = () => ({ delay: 5 });
  const result = await rig.get('model.bin');
  expect(sha256Of(rig.disk.bytes('model.bin')!)).toBe(sha256Of(bytes));
  expect(result).toMatchObject({ bytes: bytes.length, resumed: 0, notes: [] });
  expect(rig.host.most).toBe(4);
  expect(new Set(rig.host.asked.map(({ range }) => range)).size).toBe(11);
  expect(rig.host.asked).toHaveLength(11);
});

test('a small file takes one request', async () => {
  rig.put('config.yaml', 300);
  await rig.get('config.yaml');
  expect(rig.host.asked).toHaveLength(1);
});

test('progress begins at nothing, ends at the whole and never runs backwards', async () => {
  const bytes = rig.put('model.bin', 6 * PIECE);
  await rig.get('model.bin');
  const counts = rig.told.map((progress) => progress.bytes);
  expect(counts[0]).toBe(0);
  expect(counts.at(-1)).toBe(bytes.length);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(rig.told.at(-1)).toMatchObject({ stage: 'download', total: bytes.length, resumed: 0 });
});

test('the time left is told while a slow file comes', async () => {
  rig.put('model.bin', 40 * PIECE);
  rig.host.fault = () => ({ delay: 10 });
  await rig.get('model.bin');
  const times = rig.told.map(({ secondsLeft }) => secondsLeft).filter((seconds) => seconds !== null);
  expect(times.length).toBeGreaterThan(0);
  expect(times.at(-1)).toBeLessThan(times[0]!);
});

test('redirects are followed, each range through the address that was named', async () => {
  const bytes = rig.put('elsewhere.bin', 3 * PIECE);
  rig.host.fault = ({ path }) =>
    path === 'resolve/model.bin' ? { status: 302, headers: { location: '/elsewhere.bin' }, body: '' } : {};
  await rig.get('resolve/model.bin');
  expect(sha256Of(rig.disk.bytes('model.bin')!)).toBe(sha256Of(bytes));
  expect(rig.host.asked.filter(({ path }) => path === 'resolve/model.bin')).toHaveLength(3);
});

test('a tab that was closed in the middle costs only what came since the last note', async () => {
  const bytes = rig.put('model.bin', 20 * PIECE);
  rig.host.fault = ({ index }) => (index < 12 ? { delay: 20 } : { silentAfter: 10 });
  const controller = new AbortController();
  const hanging = rig.get('model.bin', { cancelled: controller.signal });
  await until(() => rig.disk.note('model.bin') !== null && rig.host.asked.length === 16);
  // The disk as it is in the middle, and a new engine over it: nobody said goodbye.
  await rig.disk.writeNote('found.bin', rig.disk.note('model.bin'));
  const partial = await rig.disk.partial('found.bin');
  partial.write(0, rig.disk.bytes('model.bin')!);
  partial.close();
  controller.abort();
  await expect(hanging).rejects.toMatchObject({ name: 'aborted' });

  rig.host.fault = () => ({});
  const before = rig.host.asked.length;
  const result = await rig.get('model.bin', { name: 'found.bin' });
  expect(sha256Of(rig.disk.bytes('found.bin')!)).toBe(sha256Of(bytes));
  expect(result.resumed).toBeGreaterThanOrEqual(4 * PIECE);
  expect(rig.told[0]).toMatchObject({ stage: 'connect', bytes: result.resumed, resumed: result.resumed });
  expect(rig.host.asked.length - before).toBeLessThanOrEqual(16);
});

test('a cancel is silent in its name, keeps what came, and the next call fetches only the rest', async () => {
  const bytes = rig.put('model.bin', 20 * PIECE);
  rig.host.fault = () => ({ delay: 3 });
  const controller = new AbortController();
  const cancelled = rig.get('model.bin', {
    cancelled: controller.signal,
    onProgress: ({ bytes: count }) => void (count > 6 * PIECE && controller.abort()),
  });
  await expect(cancelled).rejects.toMatchObject({ name: 'aborted' });
  const kept = rig.told.at(-1)!.bytes;
  const result = await rig.get('model.bin');
  expect(result.resumed).toBeGreaterThanOrEqual(kept);
  expect(result.resumed).toBeLessThan(bytes.length);
  expect(sha256Of(rig.disk.bytes('model.bin')!)).toBe(sha256Of(bytes));
});

test('a cancel before the first byte leaves nothing behind', async () => {
  rig.put('model.bin', PIECE);
  rig.host.fault = () => ({ silentAfter: 0 });
  const controller = new AbortController();
  const cancelled = rig.get('model.bin', { cancelled: controller.signal });
  await until(() => rig.host.asked.length === 1);
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ name: 'aborted' });
  expect(rig.disk.bytes('model.bin')).toBeNull();
  expect(rig.disk.note('model.bin')).toBeNull();
});

test('a file that is here and complete is not asked for again', async () => {
  const bytes = rig.put('model.bin', 2 * PIECE);
  const expected = { sha256: sha256Of(bytes), bytes: bytes.length };
  await rig.get('model.bin', { expected });
  const asked = rig.host.asked.length;
  await rig.host.close();
  const again = await rig.get('model.bin', { expected });
  expect(again).toMatchObject({ bytes: bytes.length, resumed: bytes.length, sha256: expected.sha256 });
  expect(rig.host.asked).toHaveLength(asked);
});

test('two files at once do not disturb each other; the same one twice is refused', async () => {
  const a = rig.put('a.bin', 5 * PIECE + 1);
  const b = rig.put('b.bin', 4 * PIECE + 7);
  rig.host.fault = () => ({ delay: 3 });
  const both = Promise.all([rig.get('a.bin', { name: 'a.bin' }), rig.get('b.bin', { name: 'b.bin' })]);
  await expect(rig.get('a.bin', { name: 'a.bin' })).rejects.toThrow(/^unsupported second download: a\.bin/);
  await both;
  expect(sha256Of(rig.disk.bytes('a.bin')!)).toBe(sha256Of(a));
  expect(sha256Of(rig.disk.bytes('b.bin')!)).toBe(sha256Of(b));
});

test('the SHA-256 that a listing promises is checked, also over bytes of an earlier visit', async () => {
  const bytes = rig.put('model.bin', 8 * PIECE);
  const expected = { sha256: sha256Of(bytes).toUpperCase(), bytes: bytes.length };
  const controller = new AbortController();
  rig.host.fault = () => ({ delay: 3 });
  const options = {
    expected,
    cancelled: controller.signal,
    onProgress: ({ bytes: count }: { readonly bytes: number }) =>
      void (count > 2 * PIECE && controller.abort()),
  };
  await expect(rig.get('model.bin', options)).rejects.toMatchObject({ name: 'aborted' });
  // Caches of one network may name the same file differently: with a SHA-256 that is no reason to start again.
  rig.host.etag = '"other"';
  const result = await rig.get('model.bin', { expected });
  expect(result.resumed).toBeGreaterThan(2 * PIECE - 1);
  expect(result.sha256).toBe(sha256Of(bytes));
  expect(rig.told.some(({ stage }) => stage === 'verify')).toBe(true);
});

test('bytes that do not have the promised SHA-256 are removed, with a sentence', async () => {
  const bytes = rig.put('model.bin', 3 * PIECE);
  const wrong = rig.get('model.bin', { expected: { sha256: 'ab'.repeat(32), bytes: bytes.length } });
  await expect(wrong).rejects.toThrow(
    /^invalid model file: model\.bin; its SHA-256 is .*removed: download it again$/,
  );
  expect(rig.disk.bytes('model.bin')).toBeNull();
  expect(rig.disk.note('model.bin')).toBeNull();
});

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 2));
}
