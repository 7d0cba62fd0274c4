import { expect, it } from 'vitest';
import { toFloat32 } from './convert.ts';

it('gives a float32 tensor its own array', () => {
  const data = Float32Array.of(1, 2);
  expect(toFloat32({ dtype: 'float32', shape: [2], data })).toBe(data);
});

it('rounds float64 to the nearest float32', () => {
  const tensor = { dtype: 'float64', shape: [1], data: Float64Array.of(0.1) } as const;
  expect(toFloat32(tensor)[0]).toBe(Math.fround(0.1));
});

it('reads half precision, bfloat16, 64-bit integers and booleans by value, not by bits', () => {
  const half = { dtype: 'float16', shape: [1], data: Uint16Array.of(0x3c00) } as const;
  const brain = { dtype: 'bfloat16', shape: [1], data: Uint16Array.of(0x3f80) } as const;
  const long = { dtype: 'int64', shape: [2], data: BigInt64Array.of(-7n, 2n ** 40n) } as const;
  const flags = { dtype: 'bool', shape: [2], data: Uint8Array.of(0, 1) } as const;
  expect([...toFloat32(half), ...toFloat32(brain)]).toEqual([1, 1]);
  expect([...toFloat32(long)]).toEqual([-7, 2 ** 40]);
  expect([...toFloat32(flags)]).toEqual([0, 1]);
});
