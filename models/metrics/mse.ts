import { invalid } from '../errors.ts';

/** Mean squared error of two frames of bytes, on the scale [-1, 1] (facts/nanowm.md section 8). */
export function mse(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length || a.length === 0) {
    throw invalid('frames', `${a.length} and ${b.length} numbers`, 'compare frames of one size');
  }
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return sum / a.length / 127.5 ** 2;
}
