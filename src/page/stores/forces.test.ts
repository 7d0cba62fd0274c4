import { describe, expect, it } from 'vitest';
import { forceBefore } from './forces.ts';

const actions = {
  data: Float32Array.from([1, 0, 0, 0.5, -1, -1, -1, -1]),
  rows: 2,
  width: 4,
  scale: 'recorded',
} as const;

describe('forceBefore', () => {
  it('is the mean of the actions on the way to the frame', () => {
    expect(forceBefore(actions, 1)).toEqual({ right: 0.5, up: 0.25 });
    expect(forceBefore(actions, 2)).toEqual({ right: -1, up: -1 });
  });

  it('is nothing for the first frame, past the record, and for numbers that are not forces', () => {
    expect(forceBefore(actions, 0)).toBeNull();
    expect(forceBefore(actions, 3)).toBeNull();
    expect(forceBefore({ ...actions, scale: 'network' }, 1)).toBeNull();
  });
});
