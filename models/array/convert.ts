/** Any tensor as float32, the precision that everything is computed in. */
import { bfloat16ToFloat, halfToFloat } from './float16.ts';
import { float8E4m3ToFloat, float8E5m2ToFloat } from './float8.ts';
import type { Tensor } from './tensor.ts';

/**
 * The values of `tensor` in float32, row-major. A float32 tensor's own array is returned, not a
 * copy. float64 and integers are rounded to the nearest float32; bool gives 0 and 1.
 */
export function toFloat32(tensor: Tensor): Float32Array {
  switch (tensor.dtype) {
    case 'float32':
      return tensor.data as Float32Array;
    case 'float16':
      return halfToFloat(tensor.data as Uint16Array);
    case 'bfloat16':
      return bfloat16ToFloat(tensor.data as Uint16Array);
    case 'float8_e4m3fn':
      return float8E4m3ToFloat(tensor.data as Uint8Array);
    case 'float8_e5m2':
      return float8E5m2ToFloat(tensor.data as Uint8Array);
    case 'int64':
    case 'uint64':
      return Float32Array.from(tensor.data as BigInt64Array | BigUint64Array, Number);
    default:
      return Float32Array.from(tensor.data as Float64Array | Uint8Array);
  }
}
