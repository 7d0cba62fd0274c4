/** Constants of a graph: bytes on demand, so that a large model is never in memory twice. */
import { bytesOfArray } from '../array/bytes.ts';
import { floatToHalf } from '../array/float16.ts';
import { sizeOf } from '../array/tensor.ts';
import type { Dtype } from '../array/tensor.ts';
import { invalid } from '../errors.ts';

/** How weights are kept in the file. Whatever it is, the graph computes in float32. */
export type Storage = 'float32' | 'float16';

export interface Initialiser {
  readonly name: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly byteLength: number;
  /** Little-endian, row-major. Called once for each serialisation. */
  readonly bytes: () => Uint8Array;
}

/** Largest finite number of IEEE half precision. */
const HALF_MAX = 65504;

/** A float32 constant. @throws when the number of values is not that of `shape`, or one is not finite. */
export function float32(name: string, values: Float32Array, shape: readonly number[]): Initialiser {
  checkValues(name, values, shape);
  return { name, dtype: 'float32', shape, byteLength: values.length * 4, bytes: () => bytesOfArray(values) };
}

/** A constant rounded to half precision; `fitsHalf` says beforehand whether that loses more than digits. */
export function float16(name: string, values: Float32Array, shape: readonly number[]): Initialiser {
  checkValues(name, values, shape);
  const bytes = () => bytesOfArray(floatToHalf(values));
  return { name, dtype: 'float16', shape, byteLength: values.length * 2, bytes };
}

/** A constant of shape sizes, axes or bounds; never data that changes between runs. */
export function int64(name: string, values: readonly number[], shape: readonly number[]): Initialiser {
  const data = BigInt64Array.from(values, BigInt);
  return { name, dtype: 'int64', shape, byteLength: data.byteLength, bytes: () => bytesOfArray(data) };
}

/** False when a value would become infinite in half precision. */
export function fitsHalf(values: Float32Array): boolean {
  return values.every((value) => Math.abs(value) <= HALF_MAX);
}

function checkValues(name: string, values: Float32Array, shape: readonly number[]): void {
  if (values.length !== sizeOf(shape)) {
    throw invalid(
      'weight',
      name,
      `it holds ${values.length} values where the shape [${shape.join(', ')}] needs ${sizeOf(shape)}`,
    );
  }
  const wrong = values.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) {
    const remedy = 'every weight must be a finite number; the file is damaged or its training diverged';
    throw invalid('weight', `${String(values[wrong])} in '${name}'`, remedy);
  }
}
