/** Constants of a graph: bytes on demand, so that a large model is never in memory as a whole. */
import { bytesOfArray } from '../array/bytes.ts';
import { floatToHalf, HALF_MAX } from '../array/float16.ts';
import { sizeOf } from '../array/tensor.ts';
import type { Dtype } from '../array/tensor.ts';
import { invalid } from '../errors.ts';

export interface Initialiser {
  readonly name: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly byteLength: number;
  /** Little-endian, row-major. Called once for each serialisation. */
  readonly bytes: () => Uint8Array;
}

/** Numbers of a weight, row-major: read from the file, or computed, each time they are asked for. */
export type Read = () => Float32Array;

/** A float32 constant; `read` gives as many values as `shape` says, all finite (`checkValues`). */
export function float32(name: string, read: Read, shape: readonly number[]): Initialiser {
  return { name, dtype: 'float32', shape, byteLength: sizeOf(shape) * 4, bytes: () => bytesOfArray(read()) };
}

/** A constant rounded to half precision, with values up to HALF_MAX. */
export function float16(name: string, read: Read, shape: readonly number[]): Initialiser {
  const bytes = () => bytesOfArray(floatToHalf(read()));
  return { name, dtype: 'float16', shape, byteLength: sizeOf(shape) * 2, bytes };
}

/** A constant of shape sizes, axes or bounds; never data that changes between runs. */
export function int64(name: string, values: readonly number[], shape: readonly number[]): Initialiser {
  const data = BigInt64Array.from(values, BigInt);
  return { name, dtype: 'int64', shape, byteLength: data.byteLength, bytes: () => bytesOfArray(data) };
}

/** False when a value would become infinite in half precision. */
export function fitsHalf(values: Float32Array): boolean {
  for (let i = 0; i < values.length; i++) if (!(Math.abs(values[i]) <= HALF_MAX)) return false;
  return true;
}

/** @throws when the number of values is not that of `shape`, or one is not finite. */
export function checkValues(name: string, values: Float32Array, shape: readonly number[]): void {
  if (values.length !== sizeOf(shape)) {
    throw invalid(
      'weight',
      name,
      `it holds ${values.length} values where the shape [${shape.join(', ')}] needs ${sizeOf(shape)}`,
    );
  }
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    const remedy = 'every weight must be a finite number; the file is damaged or its training diverged';
    throw invalid('weight', `${String(values[i])} in '${name}'`, remedy);
  }
}
