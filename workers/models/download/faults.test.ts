import { afterEach, beforeEach, expect, test } from 'vitest';
import { bytesOf, downloadRig, PIECE, sha256Of } from '../../testing/downloads.ts';
import type { DownloadRig } from '../../testing/downloads.ts';

let rig: DownloadRig;
let bytes: Uint8Array;
beforeEach(async () => {
  rig = await downloadRig();
  bytes = rig.put('model.bin', 10 * PIECE);
});
afterEach(() => rig.close());

const arrived = () => sha256Of(rig.disk.bytes('model.bin')!) === sha256Of(bytes);
const nothingLeft = () => rig.disk.bytes('model.bin') === null && rig.disk.note('model.bin') === null;

test('a connection that breaks in the middle goes on at the byte where it broke', async () => {
  rig.host.fault = ({ index }) => (index === 2 ? { breakAfter: 1000 } : {});
  await rig.get('model.bin');
  expect(arrived()).toBe(true);
  const starts = rig.host.asked.map(({ range }) => Number(/=(\d+)/.exec(range!)![1]) % PIECE);
  expect(starts.filter((start) => start !== 0)).toEqual([1000]);
  expect(rig.told.some(({ note }) => note === 'The connection broke; trying again in 1 s.')).toBe(true);
  expect(rig.told.at(-1)!.note).toBeNull();
});

test('a connection that always breaks is given up after six tries, and what came is kept', async () => {
  rig.host.fault = ({ range }) => (range!.startsWith(`bytes=${String(5 * PIECE)}`) ? { breakAfter: 0 } : {});
  const broken = rig.get('model.bin', { settings: { connections: 1 } });
  await expect(broken).rejects.toThrow(
    /^missing file: .*model\.bin; the connection breaks again and again: .* 328 kB are kept, and it continues there$/,
  );
  expect(rig.host.asked).toHaveLength(5 + 6);
  expect(rig.slept.filter((pause) => pause < 1e6)).toEqual([1000, 2000, 4000, 8000, 16_000]);
  rig.host.fault = () => ({});
  expect((await rig.get('model.bin')).resumed).toBe(5 * PIECE);
  expect(arrived()).toBe(true);
});

test('a server that goes silent is left after a minute, and asked again', async () => {
  rig.host.fault = ({ index }) => (index === 1 ? { silentAfter: 100 } : {});
  await rig.get('model.bin', { settings: { silence: 20_000 } });
  expect(arrived()).toBe(true);
  expect(rig.told.some(({ note }) => note?.startsWith('The server sent nothing for a while'))).toBe(true);
});

test('one connection that fails for good stops the others at once', async () => {
  rig.host.fault = ({ index }) =>
    index === 3 ? { status: 403, body: '' } : index > 0 ? { silentAfter: 0 } : {};
  await expect(rig.get('model.bin')).rejects.toThrow(/HTTP 403/);
});

test('another ETag in the middle: it starts from the beginning and says so', async () => {
  rig.host.fault = ({ index }) => {
    if (index === 5) {
      rig.host.etag = '"2"';
      bytes = bytesOf(9 * PIECE + 5).reverse();
      rig.host.files.set('model.bin', bytes);
    }
    return {};
  };
  const { notes, resumed } = await rig.get('model.bin');
  expect(arrived()).toBe(true);
  expect(resumed).toBe(0);
  expect(notes).toEqual([
    'The file on the server is not the one that was begun; it starts from the beginning.',
  ]);
});

test('another ETag between two visits: what the first one left is not mixed in', async () => {
  await cancelAt(3 * PIECE);
  rig.host.etag = '"2"';
  bytes = bytesOf(10 * PIECE).reverse();
  rig.host.files.set('model.bin', bytes);
  const { notes, resumed } = await rig.get('model.bin');
  expect(resumed).toBe(0);
  expect(notes).toHaveLength(1);
  expect(arrived()).toBe(true);
});

test('a host that names every copy differently is read in one stream', async () => {
  rig.host.fault = ({ index }) => ({ headers: { etag: `"${String(index)}"` } });
  const { notes } = await rig.get('model.bin');
  expect(notes).toHaveLength(2);
  expect(rig.host.asked.filter(({ range }) => range === null)).toHaveLength(1);
  expect(arrived()).toBe(true);
});

test('without ETags the date tells, and a file that became shorter is not the same one', async () => {
  rig.host.etag = null;
  rig.host.fault = () => ({ headers: { 'last-modified': 'Mon, 01 Jun 2026 00:00:00 GMT' } });
  await cancelAt(3 * PIECE);
  bytes = bytes.slice(0, 2 * PIECE + 9);
  rig.host.files.set('model.bin', bytes);
  expect((await rig.get('model.bin')).resumed).toBe(0);
  expect(arrived()).toBe(true);

  await rig.disk.remove('model.bin');
  await cancelAt(PIECE);
  rig.host.fault = () => ({ headers: { 'last-modified': 'Tue, 02 Jun 2026 00:00:00 GMT' } });
  expect((await rig.get('model.bin')).resumed).toBe(0);
});

test('a server without ranges sends one stream; broken, it begins again and says so', async () => {
  rig.host.fault = ({ index }) => (index === 0 ? { whole: true, breakAfter: 3 * PIECE } : { whole: true });
  const { notes } = await rig.get('model.bin');
  expect(arrived()).toBe(true);
  expect(rig.host.asked).toHaveLength(2);
  expect(notes).toEqual(['The server cannot continue model.bin; it starts from the beginning.']);
});

test('half a file from a server that cannot continue is not kept', async () => {
  rig.host.fault = () => ({ whole: true, breakAfter: PIECE });
  await expect(rig.get('model.bin')).rejects.toThrow(/breaks again and again: check it and try again later$/);
  expect(rig.host.asked).toHaveLength(6);
  expect(nothingLeft()).toBe(true);
});

test('a server that learnt to send only the whole file in the meantime starts from the beginning', async () => {
  await cancelAt(3 * PIECE);
  rig.host.fault = () => ({ whole: true });
  const { notes, resumed } = await rig.get('model.bin');
  expect(resumed).toBe(0);
  expect(notes).toHaveLength(1);
  expect(arrived()).toBe(true);
});

test('an unknown size (chunked) is told as unknown, and the end of the stream is the end', async () => {
  rig.host.fault = () => ({
    whole: true,
    headers: { 'content-length': null, 'transfer-encoding': 'chunked' },
  });
  const result = await rig.get('model.bin');
  expect(result.bytes).toBe(bytes.length);
  expect(arrived()).toBe(true);
  expect(rig.told.filter(({ stage }) => stage === 'download').every(({ total, secondsLeft }) => total === null && secondsLeft === null)).toBe(true); // prettier-ignore
});

test('a range that was not asked for, or none at all, is not written anywhere: one stream instead', async () => {
  let streams = 0;
  for (const lie of [
    `bytes 5-${String(PIECE + 4)}/${String(10 * PIECE)}`,
    `bytes 0-${String(2 * PIECE)}/${String(10 * PIECE)}`,
    'bytes 0-99',
    `bytes 0-${String(PIECE - 1)}/*`,
    null,
  ]) {
    rig.host.fault = ({ range }) => (range === null ? {} : { headers: { 'content-range': lie } });
    const { notes } = await rig.get('model.bin');
    expect(notes, String(lie)).toHaveLength(1);
    expect(
      rig.host.asked.filter(({ range }) => range === null),
      String(lie),
    ).toHaveLength(++streams);
    expect(arrived(), String(lie)).toBe(true);
    await rig.disk.remove('model.bin');
  }
});

test('where the browser hides Content-Range, the size of a listing is enough for ranges', async () => {
  rig.host.fault = () => ({ headers: { 'content-range': null } });
  const { notes } = await rig.get('model.bin', { expected: { bytes: bytes.length } });
  expect(notes).toEqual([]);
  expect(rig.host.asked).toHaveLength(10);
  expect(arrived()).toBe(true);
});

test('a part that is shorter than asked for, and says so, is taken as far as it goes', async () => {
  rig.host.fault = ({ range }) => {
    const [start, end] = /(\d+)-(\d+)/.exec(range!)!.slice(1).map(Number) as [number, number];
    const last = Math.min(end, start + 49_999);
    return {
      headers: { 'content-range': `bytes ${String(start)}-${String(last)}/${String(bytes.length)}` },
      body: bytes.subarray(start, last + 1),
    };
  };
  await rig.get('model.bin');
  expect(rig.host.asked).toHaveLength(20);
  expect(arrived()).toBe(true);
});

test('more bytes than a part promises are not believed', async () => {
  rig.host.fault = ({ range, index }) =>
    range === null || index !== 1
      ? {}
      : { body: bytesOf(PIECE + 1), headers: { 'content-length': null, 'transfer-encoding': 'chunked' } };
  const { notes } = await rig.get('model.bin');
  expect(notes[0]).toMatch(/other parts than it was asked for/);
  expect(arrived()).toBe(true);
});

test('a size that is not the promised one ends it before the bytes come, or where they go over', async () => {
  const wrong = rig.get('model.bin', { expected: { bytes: 9 * PIECE } });
  await expect(wrong).rejects.toThrow(/^invalid model file: model\.bin; the server sends 655 kB .* 590 kB/);
  expect(nothingLeft()).toBe(true);
  rig.host.fault = () => ({
    whole: true,
    headers: { 'content-length': null, 'transfer-encoding': 'chunked' },
  });
  const long = rig.get('model.bin', { expected: { bytes: 9 * PIECE } });
  await expect(long).rejects.toThrow(/^invalid model file: model\.bin; it has more than/);
  expect(nothingLeft()).toBe(true);
});

test('a tab that is closed right after a new start leaves no word of the bytes that went', async () => {
  // Nothing but ranges that lie tells the two apart: no ETag, no date, the same size.
  rig.host.etag = null;
  await cancelAt(3 * PIECE);
  expect(rig.disk.note('model.bin')).not.toBeNull();
  rig.host.fault = ({ range }) =>
    range === null ? { silentAfter: 9 } : { headers: { 'content-range': 'bytes 5-9/10' } };
  const controller = new AbortController();
  const visit = rig.get('model.bin', { cancelled: controller.signal });
  await until(() => rig.told.at(-1)?.bytes === 9);
  expect(rig.disk.note('model.bin')).toBeNull();
  controller.abort();
  await expect(visit).rejects.toMatchObject({ name: 'aborted' });
});

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Cancels a visit that has `count` bytes (whole pieces): the host never sends the piece that begins there. */
async function cancelAt(count: number): Promise<void> {
  const controller = new AbortController();
  const { fault } = rig.host;
  rig.host.fault = (asked) => {
    if (asked.range?.startsWith(`bytes=${String(count)}-`) !== true) return fault(asked);
    controller.abort();
    return { ...fault(asked), silentAfter: 0 };
  };
  const visit = rig.get('model.bin', { cancelled: controller.signal, settings: { connections: 1 } });
  await expect(visit).rejects.toMatchObject({ name: 'aborted' });
  rig.host.fault = fault;
}
