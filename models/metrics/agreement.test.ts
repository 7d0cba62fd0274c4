import { expect, test } from 'vitest';
import { deviationOf, healthOf, largestOf, LIMITS, verdictOf, worstOf } from './agreement.ts';

const floats = (...values: number[]) => Float32Array.from(values);

test('one NaN outweighs one infinity, one infinity outweighs what is well', () => {
  expect(healthOf(floats(1, -2, 0))).toBe('ok');
  expect(healthOf(floats(Infinity, NaN, 1))).toBe('nan');
  expect(healthOf(floats(1, -Infinity, 1))).toBe('overflow');
  expect(healthOf(floats(0, Infinity))).toBe('overflow');
  expect(healthOf(floats(0, -0, 0))).toBe('zero');
  expect(healthOf(floats())).toBe('zero');
  expect(healthOf(floats(0, 1e-30))).toBe('ok');
});

test('the deviation is the largest difference, relative to the largest value of the reference', () => {
  expect(deviationOf(floats(1, -4.5), floats(1, -4))).toBe(0.125);
  expect(deviationOf(floats(1, 2), floats(1, 2))).toBe(0);
  expect(largestOf(floats(1, -4))).toBe(4);
});

test('what cannot be compared deviates by NaN, which no limit lets pass', () => {
  expect(deviationOf(floats(1, NaN), floats(1, 2))).toBeNaN();
  expect(deviationOf(floats(1, 2), floats(1, NaN))).toBeNaN();
  expect(deviationOf(floats(1), floats(1, 2))).toBeNaN();
  expect(deviationOf(floats(0, 0), floats(0, 0))).toBeNaN();
  expect(deviationOf(floats(1), floats(0))).toBe(Infinity);
  expect(verdictOf('ok', NaN)).toBe('off');
  expect(verdictOf('ok', Infinity)).toBe('off');
});

test('the limits themselves still pass, what is beyond them does not', () => {
  expect(verdictOf('ok', 0)).toBe('same');
  expect(verdictOf('ok', LIMITS.same)).toBe('same');
  expect(verdictOf('ok', LIMITS.same * 1.01)).toBe('close');
  expect(verdictOf('ok', LIMITS.close)).toBe('close');
  expect(verdictOf('ok', LIMITS.close * 1.01)).toBe('off');
});

test('float32 summed in another order is the same, float16 is close, a wrong kernel is off', () => {
  const values = Float32Array.from({ length: 4096 }, (_, i) => Math.sin(i));
  const half = values.map((value) => Math.round(value * 2048) / 2048);
  const wrong = values.toReversed();
  const nudged = values.map((value, i) => value + (i % 2 === 0 ? 1e-5 : -1e-5));
  expect(verdictOf('ok', deviationOf(nudged, values))).toBe('same');
  expect(verdictOf('ok', deviationOf(half, values))).toBe('close');
  expect(verdictOf('ok', deviationOf(wrong, values))).toBe('off');
});

test('unhealthy numbers are off whatever they are compared with; healthy ones alone get no verdict', () => {
  expect(verdictOf('zero', 0)).toBe('off');
  expect(verdictOf('nan', null)).toBe('off');
  expect(verdictOf('error', null)).toBe('off');
  expect(verdictOf('ok', null)).toBeNull();
});

test('the worst verdict stands for all', () => {
  expect(worstOf(['same', 'off', 'close', null])).toBe('off');
  expect(worstOf(['same', 'close'])).toBe('close');
  expect(worstOf([null, 'same'])).toBe('same');
  expect(worstOf([null])).toBeNull();
});
