import { expect, test } from 'vitest';
import { seededRandom } from '../../../models/array/random.ts';
import { bytesOf, piecesMissing, prefixOf, readContentRange, readRanges, withRange } from './ranges.ts';
import type { Range } from './ranges.ts';

test('neighbours and overlaps are joined, gaps stay', () => {
  let ranges: Range[] = [];
  ranges = withRange(ranges, 10, 20);
  ranges = withRange(ranges, 30, 40);
  expect(ranges).toEqual([
    [10, 20],
    [30, 40],
  ]);
  expect(withRange(ranges, 20, 30)).toEqual([[10, 40]]);
  expect(withRange(ranges, 0, 5)).toEqual([
    [0, 5],
    [10, 20],
    [30, 40],
  ]);
  expect(withRange(ranges, 15, 35)).toEqual([[10, 40]]);
  expect(withRange(ranges, 12, 12)).toEqual(ranges);
});

test('any order of additions leaves exactly the bytes that were added', () => {
  const random = seededRandom(7);
  for (let round = 0; round < 50; round++) {
    const here = new Array<boolean>(100).fill(false);
    let ranges: Range[] = [];
    for (let i = 0; i < 12; i++) {
      const start = Math.floor(random() * 95);
      const end = start + 1 + Math.floor(random() * (100 - start - 1));
      here.fill(true, start, end);
      ranges = withRange(ranges, start, end);
      const spread = new Array<boolean>(100).fill(false);
      for (const [from, to] of ranges) spread.fill(true, from, to);
      expect(spread).toEqual(here);
      expect(bytesOf(ranges)).toBe(here.filter(Boolean).length);
      const pieces = piecesMissing(ranges, 100, 16);
      expect(bytesOf(ranges) + bytesOf(pieces)).toBe(100);
      for (const [from, to] of pieces) expect(Math.floor(from / 16)).toBe(Math.floor((to - 1) / 16));
    }
  }
});

test('pieces end at multiples of their size, so a continued download asks for the same ones', () => {
  expect(piecesMissing([[3, 9]], 20, 8)).toEqual([
    [0, 3],
    [9, 16],
    [16, 20],
  ]);
  expect(piecesMissing([[0, 20]], 20, 8)).toEqual([]);
});

test('only bytes from the start on count as a prefix', () => {
  expect(prefixOf([[0, 7]])).toBe(7);
  expect(prefixOf([[1, 7]])).toBe(0);
  expect(prefixOf([])).toBe(0);
});

test('ranges that were altered, overlap or go past the file are not believed', () => {
  expect(readRanges([[0, 4], [6, 9]], 9)).toEqual([[0, 4], [6, 9]]); // prettier-ignore
  expect(readRanges([], 0)).toEqual([]);
  for (const wrong of [
    [[0, 10]],
    [[4, 4]],
    [[-1, 2]],
    [
      [0, 4],
      [3, 6],
    ],
    [
      [5, 6],
      [0, 1],
    ],
    [[0]],
    ['0-4'],
    {},
    null,
    [[0, 1.5]],
  ])
    // prettier-ignore
    expect(readRanges(wrong, 9), JSON.stringify(wrong)).toBeNull();
});

test('Content-Range is read as the standard has it, and nothing else passes', () => {
  expect(readContentRange('bytes 0-99/1000')).toEqual({ part: [0, 100], total: 1000 });
  expect(readContentRange('Bytes 900-999/*')).toEqual({ part: [900, 1000], total: null });
  expect(readContentRange('bytes */1000')).toEqual({ part: null, total: 1000 });
  for (const wrong of [
    null,
    '',
    'bytes 0-1000/1000',
    'bytes 9-3/10',
    'items 0-9/10',
    'bytes 0-9',
    'bytes -5/10',
  ])
    expect(readContentRange(wrong), String(wrong)).toBeNull();
  expect(readContentRange('bytes 0-9/99999999999999999999')).toBeNull();
});
