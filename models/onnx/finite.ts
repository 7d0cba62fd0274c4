/** Looks for NaN and infinity in every tensor that is read. */
import { toFloat32 } from '../array/convert.ts';
import type { Tensor } from '../array/tensor.ts';
import { sizeOf } from '../array/tensor.ts';
import { invalid } from '../errors.ts';
import type { Weights } from '../files/weights.ts';

/**
 * The same weights; reading a tensor that is not finite throws one sentence with its name and how many of its
 * numbers are not. A tensor is looked at the first time only.
 * @param onRead called for each tensor the first time, with its bytes
 */
export function finiteWeights(weights: Weights, onRead?: (bytes: number) => void): Weights {
  const seen = new Set<string>();
  return {
    ...weights,
    get: (name) => {
      const tensor = weights.get(name);
      if (seen.has(name)) return tensor;
      checkFinite(name, tensor);
      seen.add(name);
      onRead?.(tensor.data.byteLength);
      return tensor;
    },
  };
}

function checkFinite(name: string, tensor: Tensor): void {
  if (allFinite(tensor)) return;
  const values = toFloat32(tensor);
  const wrong = values.filter((value) => !Number.isFinite(value));
  const kinds = [...new Set(wrong)].map(String).join(' and ');
  const count = `${wrong.length.toLocaleString('en')} of ${sizeOf(tensor.shape).toLocaleString('en')} numbers`;
  const remedy = 'every weight must be a finite number; the file is damaged or its training diverged';
  throw invalid('weight', `${kinds} in '${name}' (${count})`, remedy);
}

function allFinite(tensor: Tensor): boolean {
  const { dtype, data } = tensor;
  switch (dtype) {
    case 'float32':
    case 'float64':
      return floatsFinite(data as Float32Array | Float64Array);
    case 'float16':
      return bitsFinite(data as Uint16Array, 0x7c00);
    case 'bfloat16':
      return bitsFinite(data as Uint16Array, 0x7f80);
    case 'float8_e4m3fn':
    case 'float8_e5m2':
      return floatsFinite(toFloat32(tensor));
    default:
      return true;
  }
}

/** Zero times a number is zero, but for those that are not finite; one sum is quicker than a question each. */
function floatsFinite(values: Float32Array | Float64Array): boolean {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * 0;
  return sum === 0;
}

/** Not finite is what has all bits of its exponent set. */
function bitsFinite(values: Uint16Array, exponent: number): boolean {
  for (let i = 0; i < values.length; i++) if ((values[i] & exponent) === exponent) return false;
  return true;
}
