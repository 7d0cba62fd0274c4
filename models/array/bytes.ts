/** Raw little-endian bytes as typed arrays and back. */
import type { ArrayByDtype, Dtype } from './tensor.ts';

/** Bytes of one element. */
export const BYTES_PER_ELEMENT: Readonly<Record<Dtype, number>> = {
  float32: 4,
  float64: 8,
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  int64: 8,
  uint64: 8,
  bool: 1,
  float16: 2,
  bfloat16: 2,
  float8_e4m3fn: 1,
  float8_e5m2: 1,
};

/**
 * `bytes` (little-endian, a whole number of elements) as the array of `dtype`. A view of the same
 * memory where it is aligned, a copy where it is not: do not write into it.
 */
export function arrayOfBytes<D extends Dtype>(dtype: D, bytes: Uint8Array): ArrayByDtype[D] {
  const aligned = bytes.byteOffset % BYTES_PER_ELEMENT[dtype] === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset } = aligned;
  const length = bytes.length / BYTES_PER_ELEMENT[dtype];
  return new CONSTRUCTORS[dtype](buffer, byteOffset, length);
}

/** The bytes of `data`, in place. */
export function bytesOfArray(data: ArrayByDtype[Dtype]): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** A copy of `bytes` with every group of `width` bytes turned round: big-endian to little. */
export function swapBytes(bytes: Uint8Array, width: number): Uint8Array {
  const out = bytes.slice();
  for (let start = 0; start + width <= out.length; start += width) {
    out.subarray(start, start + width).reverse();
  }
  return out;
}

type Constructors = {
  [D in Dtype]: new (buffer: ArrayBufferLike, offset: number, length: number) => ArrayByDtype[D];
};

const CONSTRUCTORS: Constructors = {
  float32: Float32Array,
  float64: Float64Array,
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float8_e4m3fn: Uint8Array,
  float8_e5m2: Uint8Array,
};
