import { afterEach, beforeEach, expect, test } from 'vitest';
import { downloadRig, PIECE, sha256Of } from '../../testing/downloads.ts';
import type { DownloadRig } from '../../testing/downloads.ts';
import { retryAfter } from './refusals.ts';

let rig: DownloadRig;
let bytes: Uint8Array;
beforeEach(async () => {
  rig = await downloadRig();
  bytes = rig.put('model.bin', 10 * PIECE);
});
afterEach(() => rig.close());

const nothingLeft = () => rig.disk.bytes('model.bin') === null && rig.disk.note('model.bin') === null;

test('a file that is not there is one sentence, and asked for once', async () => {
  await expect(rig.get('other.bin')).rejects.toThrow(
    /^missing file: http.*other\.bin \(HTTP 404\); there is no such file: check the address$/,
  );
  expect(rig.host.asked).toHaveLength(1);
  expect(nothingLeft()).toBe(true);
});

test('a gated repository: accept its licence on the site and bring the file by hand', async () => {
  for (const [status, headers, words] of [
    [
      401,
      {},
      /logged in .* accept it on the site, then download the file in the browser and drop it onto this page$/,
    ],
    [
      403,
      { 'x-error-code': 'GatedRepo' },
      /gated: log in on its page, accept its licence there, then download/,
    ],
    [401, { 'x-error-code': 'RepoNotFound' }, /there is no such public repository: check its name/],
  ] as const) {
    rig.host.fault = () => ({ status, headers, body: 'Access is restricted' });
    await expect(rig.get('model.bin')).rejects.toThrow(words);
  }
  expect(nothingLeft()).toBe(true);
});

test('a busy server is asked again after the time it names', async () => {
  rig.host.fault = ({ index }) =>
    index === 0 ? { status: 429, headers: { 'retry-after': '7' }, body: '' } : {};
  await rig.get('model.bin');
  expect(rig.slept).toContain(7000);
  expect(rig.told.some(({ note }) => note === 'The server is busy; trying again in 7 s.')).toBe(true);
  expect(sha256Of(rig.disk.bytes('model.bin')!)).toBe(sha256Of(bytes));
});

test('a server that stays busy is given up after six tries with growing pauses', async () => {
  rig.host.fault = () => ({ status: 503, body: '' });
  await expect(rig.get('model.bin')).rejects.toThrow(
    /\(HTTP 503\); the server is too busy; try again later$/,
  );
  expect(rig.host.asked).toHaveLength(6);
  expect(rig.slept.filter((pause) => pause < 1e6)).toEqual([1000, 2000, 4000, 8000, 16_000]);
});

test('a server that asks for an hour is not waited for', async () => {
  rig.host.fault = () => ({ status: 429, headers: { 'retry-after': '3600' }, body: '' });
  await expect(rig.get('model.bin')).rejects.toThrow(
    /\(HTTP 429\); the server asks to wait 60 minutes; try again/,
  );
  expect(rig.host.asked).toHaveLength(1);
});

test('Retry-After is seconds or a date, and nothing else', () => {
  const now = Date.parse('2026-06-01T00:00:00Z');
  expect(retryAfter('12', now)).toBe(12_000);
  expect(retryAfter('Mon, 01 Jun 2026 00:00:30 GMT', now)).toBe(30_000);
  expect(retryAfter('Sun, 31 May 2026 00:00:00 GMT', now)).toBe(0);
  for (const none of [null, '', 'soon']) expect(retryAfter(none, now)).toBeNull();
});

test('a pause is over when the visitor cancels', async () => {
  rig.host.fault = () => ({ status: 503, headers: { 'retry-after': '100' }, body: '' });
  const controller = new AbortController();
  const began = Date.now();
  const waiting = rig.get('model.bin', {
    cancelled: controller.signal,
    onProgress: ({ note }) => void (note !== null && controller.abort()),
  });
  await expect(waiting).rejects.toMatchObject({ name: 'aborted' });
  expect(Date.now() - began).toBeLessThan(900);
});

test('a host that is not there says how to bring the file by hand, at once', async () => {
  rig.host.fault = () => ({ refuse: true });
  await expect(rig.get('model.bin')).rejects.toThrow(
    /^missing file: .* its host cannot be reached, .*\(CORS\): .* download the file in the browser and drop it/,
  );
  expect(rig.slept.filter((pause) => pause < 1e6)).toEqual([]);
});

test('a host that refuses to be asked for parts (as browsers see it) is read whole', async () => {
  rig.host.fault = ({ range }) => (range === null ? {} : { refuse: true });
  await rig.get('model.bin');
  expect(sha256Of(rig.disk.bytes('model.bin')!)).toBe(sha256Of(bytes));
});

test('a web page in place of weights is refused by its type or its first bytes, and removed', async () => {
  rig.host.fault = () => ({
    whole: true,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<p>Hi',
  });
  await expect(rig.get('model.bin')).rejects.toThrow(
    /^invalid model file: model\.bin; the server sent a web page/,
  );
  expect(nothingLeft()).toBe(true);
  rig.host.files.set('model.bin', new TextEncoder().encode(`<!DOCTYPE html><html>${' '.repeat(4 * PIECE)}`));
  rig.host.fault = () => ({});
  await expect(rig.get('model.bin')).rejects.toThrow(
    /^invalid model file: model\.bin; the server sent a web page/,
  );
  expect(nothingLeft()).toBe(true);
});

test("git-lfs' pointer in place of weights is refused and removed", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 2230000000\n`;
  rig.host.files.set('model.bin', new TextEncoder().encode(pointer));
  for (const whole of [false, true]) {
    rig.host.fault = () => ({ whole });
    await expect(rig.get('model.bin')).rejects.toThrow(/git-lfs/);
    expect(nothingLeft()).toBe(true);
  }
});

test('an empty file is said to be empty', async () => {
  rig.host.files.set('model.bin', new Uint8Array(0));
  for (const whole of [false, true]) {
    rig.host.fault = () => ({ whole });
    await expect(rig.get('model.bin')).rejects.toThrow(/^invalid model file: model\.bin; .* is empty/);
    expect(nothingLeft()).toBe(true);
  }
});

test('a file that does not fit is told before its bytes come, with what it needs', async () => {
  rig.disk.room = 5 * PIECE;
  await expect(rig.get('model.bin')).rejects.toThrow(
    /^missing disk space: model\.bin needs 655 kB.*delete models .* then download it again$/,
  );
  expect(rig.host.asked).toHaveLength(1);
  expect(nothingLeft()).toBe(true);
});

test('a disk that fills up on the way keeps what came, and goes on there', async () => {
  rig.host.fault = ({ index }) => {
    if (index === 6) rig.disk.room = 5 * PIECE;
    return {};
  };
  await expect(rig.get('model.bin', { settings: { connections: 1 } })).rejects.toThrow(
    /^missing disk space: model\.bin needs 655 kB, .* of it are here and kept; .* it continues where it stopped$/,
  );
  rig.disk.room = Infinity;
  rig.host.fault = () => ({});
  const { resumed } = await rig.get('model.bin');
  expect(resumed).toBeGreaterThanOrEqual(5 * PIECE);
  expect(sha256Of(rig.disk.bytes('model.bin')!)).toBe(sha256Of(bytes));
});

test('a full disk under one stream frees what came, and does not say it was kept', async () => {
  rig.host.fault = () => ({
    whole: true,
    headers: { 'content-length': null, 'transfer-encoding': 'chunked' },
  });
  rig.disk.room = 3 * PIECE;
  await expect(rig.get('model.bin')).rejects.toThrow(
    /^missing disk space: model\.bin, and nothing of it is kept; /,
  );
  expect(nothingLeft()).toBe(true);
});

test('an altered note is no reason to believe bytes that are not there', async () => {
  await rig.get('model.bin');
  const note = rig.disk.note('model.bin') as object;
  const partial = await rig.disk.partial('model.bin');
  partial.truncate(3 * PIECE);
  partial.close();
  await rig.disk.writeNote('model.bin', { ...note, complete: false, done: [[0, 9 * PIECE]] });
  expect((await rig.get('model.bin')).resumed).toBe(0);
  expect(sha256Of(rig.disk.bytes('model.bin')!)).toBe(sha256Of(bytes));
});
