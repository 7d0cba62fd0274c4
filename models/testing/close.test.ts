import { expect, it } from 'vitest';
import { toBeCloseTensor } from './close.ts';

it('passes at the limit and fails just beyond it', () => {
  expect(toBeCloseTensor([1, 2.5], [1, 2], { absolute: 0.5 }).pass).toBe(true);
  expect(toBeCloseTensor([1, 2.5], [1, 2], { absolute: 0.49 }).pass).toBe(false);
  expect(toBeCloseTensor([1, 100.5], [1.5, 100], { relativeToLargest: 0.01 }).pass).toBe(true);
  expect(toBeCloseTensor([1, 100.5], [1.5, 100], { relativeToLargest: 0.001 }).pass).toBe(false);
});

it('asks for equality without a tolerance', () => {
  expect(toBeCloseTensor([1, NaN], [1, NaN]).pass).toBe(true);
  expect(toBeCloseTensor([1 + 2 ** -52], [1]).pass).toBe(false);
});

it('fails for a NaN or infinity on one side, and for another length', () => {
  expect(toBeCloseTensor([NaN], [1], { absolute: 1e9 }).pass).toBe(false);
  expect(toBeCloseTensor([1], [NaN], { absolute: 1e9 }).pass).toBe(false);
  expect(toBeCloseTensor([1], [Infinity], { absolute: 1e9 }).pass).toBe(false);
  expect(toBeCloseTensor([1, 2], [1], { absolute: 1e9 }).pass).toBe(false);
});

it('says where the largest difference is', () => {
  expect(toBeCloseTensor([1, 5, 2], [1, 2, 3], { absolute: 1 }).message()).toContain('element 1');
});
