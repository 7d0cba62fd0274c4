import { expect, test } from 'vitest';
import { typed } from './typed.ts';

test('numbers are read as people write them', () => {
  expect(['7', ' 42 ', '-3', '0.02', '.5', '1.', '1e3'].map(typed)).toEqual([7, 42, -3, 0.02, 0.5, 1, 1000]);
});

test.each(['', ' ', '0x1F', '0b1', '1_000', '1,5', 'Infinity', 'two', '1 2', '-'])('%j is none', (text) =>
  expect(typed(text)).toBeNaN(),
);
