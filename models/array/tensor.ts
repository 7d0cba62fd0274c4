/** Plain n-dimensional arrays: a shape and one flat typed array, row-major. No methods, no views. */
export interface ArrayByDtype {
  float32: Float32Array;
  float64: Float64Array;
  uint8: Uint8Array;
  int8: Int8Array;
  uint16: Uint16Array;
  int16: Int16Array;
  uint32: Uint32Array;
  int32: Int32Array;
  int64: BigInt64Array;
  uint64: BigUint64Array;
  bool: Uint8Array;
  /** Raw bits of IEEE half precision (Node 20 has no Float16Array). */
  float16: Uint16Array;
  /** Raw bits of bfloat16. */
  bfloat16: Uint16Array;
  /** Raw bits of 8-bit floats (float8.ts). */
  float8_e4m3fn: Uint8Array;
  float8_e5m2: Uint8Array;
}
export type Dtype = keyof ArrayByDtype;

export interface Tensor<D extends Dtype = Dtype> {
  readonly dtype: D;
  readonly shape: readonly number[];
  readonly data: ArrayByDtype[D];
}

/** Number of elements that `shape` holds; 1 for a scalar's empty shape. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, side) => product * side, 1);
}
