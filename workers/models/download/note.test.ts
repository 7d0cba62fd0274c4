import { expect, test } from 'vitest';
import { readNote, sameVersion } from './note.ts';
import type { DownloadNote } from './note.ts';

const url = 'https://host/model.safetensors';
const sha = 'ab'.repeat(32);
const note: DownloadNote = {
  version: 1,
  url,
  total: 100,
  served: { etag: '"v1"', modified: null },
  done: [
    [0, 10],
    [20, 30],
  ],
  complete: false,
  sha256: null,
};
const asked = { url, sha256: null };

test('a note comes back from JSON as it was', () => {
  expect(readNote(JSON.parse(JSON.stringify(note)), asked, 100)).toEqual(note);
});

test('a note is not believed when the file is shorter than it says', () => {
  expect(readNote(note, asked, 30)).toEqual(note);
  expect(readNote(note, asked, 29)).toBeNull();
});

test('a note of another address, or of a file with another SHA-256, is of no use', () => {
  expect(readNote(note, { url: `${url}?v=2`, sha256: null }, 100)).toBeNull();
  expect(readNote({ ...note, sha256: sha }, { url, sha256: 'cd'.repeat(32) }, 100)).toBeNull();
  expect(readNote({ ...note, sha256: sha }, { url, sha256: sha }, 100)?.done).toEqual(note.done);
});

test('a file is complete only when all its bytes are here, and checked where there is something to check', () => {
  const whole = { ...note, done: [[0, 100]], complete: true };
  expect(readNote(whole, asked, 100)?.complete).toBe(true);
  expect(readNote({ ...whole, done: [[0, 99]] }, asked, 100)?.complete).toBe(false);
  expect(readNote(whole, { url, sha256: sha }, 100)?.complete).toBe(false);
  expect(readNote({ ...whole, sha256: sha }, { url, sha256: sha }, 100)?.complete).toBe(true);
});

test('what was altered is no note', () => {
  for (const wrong of [
    null,
    'note',
    {},
    { ...note, version: 2 },
    { ...note, total: -1 },
    { ...note, total: 20 },
    { ...note, done: [[5, 2]] },
    { ...note, served: 'v1' },
  ])
    expect(readNote(wrong, asked, 100), JSON.stringify(wrong)).toBeNull();
});

test('versions differ by ETag, else by date, and only where both sides say it', () => {
  const none = { etag: null, modified: null };
  expect(sameVersion({ etag: '"a"', modified: '1' }, { etag: 'W/"a"', modified: '2' })).toBe(true);
  expect(sameVersion({ etag: '"a"', modified: null }, { etag: '"b"', modified: null })).toBe(false);
  expect(sameVersion({ etag: '"a"', modified: '1' }, { etag: null, modified: '2' })).toBe(false);
  expect(sameVersion({ etag: '"a"', modified: null }, none)).toBe(true);
});
