import { describe, expect, it } from 'vitest';
import { actionStatistics } from './normalise.ts';

describe('the statistics of actions', () => {
  it('are the mean and the sample deviation of each axis, by hand', () => {
    // x: 1, 3, 5 and y: 2, 2, 8
    const { mean, std } = actionStatistics(Float32Array.of(1, 2, 3, 2, 5, 8));
    expect(mean).toEqual([3, 4]);
    expect(std[0]).toBeCloseTo(2, 12);
    expect(std[1]).toBeCloseTo(Math.sqrt(12), 12);
  });

  it.each([0, 1, 2, 3, 7])('cannot be made from %i values', (count) => {
    expect(() => actionStatistics(new Float32Array(count))).toThrow(/^invalid number of action values/);
  });
});
