import { afterEach, beforeEach, expect, test } from 'vitest';
import { faultyHost } from '../../testing/host.ts';
import type { FaultyHost } from '../../testing/host.ts';
import { listRepository } from './hub.ts';

let host: FaultyHost;
beforeEach(async () => {
  host = await faultyHost();
});
afterEach(() => host.close());

const slept: number[] = [];
const deps = {
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  now: () => Date.now(),
  sleep: (milliseconds: number) => {
    slept.push(milliseconds);
    return Promise.resolve();
  },
};
const list = (id = 'o/n', revision = 'main', cancelled = new AbortController().signal) =>
  listRepository({ id, revision }, deps, cancelled, host.url.replace(/\/$/, ''));
const sha = 'ab'.repeat(32);
const page = (entries: unknown) => ({ status: 200, body: JSON.stringify(entries) });

test('files come with their sizes and SHA-256, folders are left out, pointers are seen through', async () => {
  host.fault = () =>
    page([
      { type: 'directory', oid: '1', size: 0, path: 'vae' },
      { type: 'file', oid: '2', size: 3100, path: 'config.yaml' },
      { type: 'file', oid: '3', size: 135, path: 'model.safetensors', lfs: { oid: sha.toUpperCase(), size: 2_230_000_000, pointerSize: 135 }, xetHash: 'x' }, // prettier-ignore
    ]);
  expect(await list()).toEqual([
    { path: 'config.yaml', bytes: 3100, sha256: null },
    { path: 'model.safetensors', bytes: 2_230_000_000, sha256: sha },
  ]);
  expect(host.asked[0]!.path).toBe('api/models/o/n/tree/main?recursive=true');
});

test('further pages are asked for at the same mirror, whatever host they name', async () => {
  host.fault = ({ path }) =>
    path.includes('cursor=abc')
      ? page([{ type: 'file', size: 2, path: 'b' }])
      : {
          ...page([{ type: 'file', size: 1, path: 'a' }]),
          headers: {
            link: '<https://hub.example/api/models/o/n/tree/main?recursive=true&cursor=abc>; rel="next"',
          },
        };
  expect((await list('o/n', 'refs/pr/1')).map(({ path }) => path)).toEqual(['a', 'b']);
  expect(host.asked[1]!.path).toBe('api/models/o/n/tree/refs%2Fpr%2F1?recursive=true&cursor=abc');
});

test('a host that links pages for ever is left after twenty', async () => {
  host.fault = () => ({ ...page([]), headers: { link: '<https://hub.example/?cursor=1>; rel="next"' } });
  await list();
  expect(host.asked).toHaveLength(20);
});

test('no such repository, a gated one, one without such a branch: a sentence with the page to open', async () => {
  for (const [status, code, words] of [
    [
      401,
      'RepoNotFound',
      /^missing access: http[^ ]*\/o\/n \(HTTP 401\); there is no such public repository/,
    ],
    [
      403,
      'GatedRepo',
      /accept its licence there, then download the file in the browser and drop it onto this page$/,
    ],
    [404, 'RevisionNotFound', /no such branch or tag/],
  ] as const) {
    host.fault = () => ({ status, headers: { 'x-error-code': code }, body: '{"error":"..."}' });
    await expect(list()).rejects.toThrow(words);
  }
});

test('a busy hub is asked again, as often as it makes sense', async () => {
  slept.length = 0;
  host.fault = ({ index }) =>
    index === 0
      ? { status: 429, headers: { 'retry-after': '3' }, body: '' }
      : page([{ type: 'file', path: 'a' }]);
  expect(await list()).toEqual([{ path: 'a', bytes: 0, sha256: null }]);
  expect(slept).toEqual([3000]);
  host.fault = () => ({ status: 500, body: '' });
  await expect(list()).rejects.toThrow(/^missing file: http[^ ]*\/o\/n \(HTTP 500\); the server is too busy/);
});

test('a host that cannot be reached says how to bring the file by hand', async () => {
  host.fault = () => ({ refuse: true });
  await expect(list()).rejects.toThrow(/cannot be reached.* drop it onto this page$/);
});

test('what is no list of files is one sentence', async () => {
  for (const body of [
    '<html>',
    '{}',
    '[{"type":"file"}]',
    '[{"type":"file","path":"a","size":-1}]',
    'null',
  ]) {
    host.fault = () => ({ status: 200, body });
    await expect(list(), body).rejects.toThrow(/^invalid list of files: o\/n; the host sent something else/);
  }
});

test('a cancel ends it without a word', async () => {
  host.fault = () => ({ status: 200, body: '[{"type"', silentAfter: 4 });
  const controller = new AbortController();
  const waiting = list('o/n', 'main', controller.signal);
  setTimeout(() => controller.abort(), 20);
  await expect(waiting).rejects.toMatchObject({ name: 'aborted' });
});
