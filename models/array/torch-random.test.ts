import { describe, expect, it } from 'vitest';
import { toFloat32 } from './convert.ts';
import { referenceArrays, referencePath } from '../testing/reference.ts';
import { torchNormals } from './torch-random.ts';

const golden = 'noise/torch-cpu-randn.npz';

describe.skipIf(referencePath(golden) === null)('equals PyTorch, bit for bit', () => {
  it.each([0, 42, 3407])('for seed %i, over calls of 64, 1024, 7 and 19 numbers', (seed) => {
    const expected = referenceArrays(golden);
    const normals = torchNormals(seed);
    for (const [part, n] of [
      ['first_64', 64],
      ['next_1x4x4x8x8', 1024],
      ['next_7', 7],
      ['next_19', 19],
    ] as const) {
      expect(normals(n), part).toEqual(toFloat32(expected.get(`seed_${seed}_${part}`)));
    }
  });
});

it('keeps the second of a pair for the next short call, over a long one', () => {
  const split = torchNormals(5);
  const whole = torchNormals(5);
  expect([...split(3), ...split(5)]).toEqual([...whole(8)]);
  const between = torchNormals(5);
  const first = between(1);
  between(16);
  expect([...first, ...between(1)]).toEqual([...torchNormals(5)(2)]);
});

it('takes seeds of 64 bits and refuses fractions', () => {
  expect(torchNormals(2n ** 32n + 7n)(4)).toEqual(torchNormals(7)(4));
  expect(() => torchNormals(0.5)).toThrow('invalid seed: 0.5');
});
