import { expect, test } from 'vitest';
import { floatToHalf } from '../array/float16.ts';
import type { Tensor } from '../array/tensor.ts';
import { weightsOf } from '../files/weights.ts';
import { finiteWeights } from './finite.ts';

const float32 = (...values: number[]): Tensor => ({
  dtype: 'float32',
  shape: [values.length],
  data: Float32Array.from(values),
});

test('a tensor with NaN is named when it is read, with how many there are', () => {
  const weights = finiteWeights(weightsOf({ good: float32(1, -2), bad: float32(NaN, 1, NaN, -Infinity) }));
  expect(weights.get('good').data).toEqual(Float32Array.of(1, -2));
  expect(() => weights.get('bad')).toThrow(
    "invalid weight: NaN and -Infinity in 'bad' (3 of 4 numbers); every weight must be a finite number; the file " +
      'is damaged or its training diverged',
  );
});

test('floats of eight bits are looked at too', () => {
  const read = (dtype: 'float8_e4m3fn' | 'float8_e5m2', bits: number) =>
    finiteWeights(weightsOf({ w: { dtype, shape: [1], data: Uint8Array.of(bits) } })).get('w');
  expect(read('float8_e4m3fn', 0x7e).data).toEqual(Uint8Array.of(0x7e));
  expect(() => read('float8_e4m3fn', 0x7f)).toThrow("invalid weight: NaN in 'w'");
  expect(() => read('float8_e5m2', 0x7c)).toThrow("invalid weight: Infinity in 'w'");
});

test('half precision and doubles are looked at too, their largest numbers pass', () => {
  const half = (value: number): Tensor => ({
    dtype: 'float16',
    shape: [1],
    data: floatToHalf(Float32Array.of(value)),
  });
  const brain = (bits: number): Tensor => ({ dtype: 'bfloat16', shape: [1], data: Uint16Array.of(bits) });
  const double = (value: number): Tensor => ({
    dtype: 'float64',
    shape: [1],
    data: Float64Array.of(value),
  });
  const read = (tensor: Tensor) => finiteWeights(weightsOf({ w: tensor })).get('w');
  for (const good of [half(65504), brain(0x7f7f), double(1e300), float32(3.4e38, -1e-45)])
    expect(read(good)).toBe(good);
  for (const bad of [half(Infinity), half(NaN), brain(0x7f80), brain(0xffc0), double(NaN)])
    expect(() => read(bad)).toThrow(/^invalid weight: .* in 'w' \(1 of 1 numbers\)/);
});

test('each tensor counts once, however often it is read', () => {
  const read: number[] = [];
  const weights = finiteWeights(weightsOf({ a: float32(1, 2), b: float32(3) }), (bytes) => read.push(bytes));
  for (const name of ['a', 'b', 'a', 'a']) weights.get(name);
  expect(read).toEqual([8, 4]);
});
