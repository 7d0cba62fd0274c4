import { describe, expect, it } from 'vitest';
import { actionStatistics, normaliseActions } from './normalise.ts';

describe('normalised actions', () => {
  it('have the mean and the sample deviation of each axis, by hand', () => {
    // x: 1, 3, 5 and y: 2, 2, 8
    const { mean, std } = actionStatistics(Float32Array.of(1, 2, 3, 2, 5, 8));
    expect(mean).toEqual([3, 4]);
    expect(std[0]).toBeCloseTo(2, 12);
    expect(std[1]).toBeCloseTo(Math.sqrt(12), 12);
  });

  it('repeat the two numbers for each of the five actions of a row', () => {
    const row = Float32Array.of(1, 2, 1, 2, 1, 2, 1, 2, 1, 2);
    const out = normaliseActions(row, { mean: [0.5, 1], std: [0.25, 2] });
    const [x, y] = [0.5 / 0.250001, 1 / 2.000001];
    expect(out).toBeCloseTensor([x, y, x, y, x, y, x, y, x, y], { absolute: 1e-6 });
  });

  it('stay finite for an axis that never moved', () => {
    const actions = Float32Array.of(0, 1, 0, -1);
    const out = normaliseActions(actions, actionStatistics(actions));
    expect([...out].every(Number.isFinite)).toBe(true);
  });

  it.each([0, 1, 2, 3, 7])('cannot be made from %i values', (count) => {
    expect(() => actionStatistics(new Float32Array(count))).toThrow(/^invalid number of action values/);
  });
});
