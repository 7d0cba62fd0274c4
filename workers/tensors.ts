/** Our plain tensors as onnxruntime's, and back. */
import type * as Ort from 'onnxruntime-web';
import type { Dtype, Tensor } from '../models/array/tensor.ts';
import { unsupported } from '../models/errors.ts';

type Constructor = Pick<typeof Ort, 'Tensor'>;

const DTYPES = ['float32', 'float16', 'int64', 'int32', 'uint8', 'int8', 'bool', 'float64'] as const;

/** Shares the memory of `tensor`. @throws for a dtype that no graph of ours takes. */
export function toOrt(ort: Constructor, tensor: Tensor): Ort.Tensor {
  if (!isRuntimeDtype(tensor.dtype)) {
    throw unsupported('dtype', tensor.dtype, `a graph's input is one of ${DTYPES.join(', ')}`);
  }
  return new ort.Tensor(tensor.dtype, tensor.data as Ort.Tensor.DataTypeMap['float32'], tensor.shape);
}

/** A result on the CPU. float16 comes as Float16Array or Uint16Array, depending on the engine: bits either way. */
export function fromOrt(value: Ort.Tensor): Tensor {
  if (!isRuntimeDtype(value.type)) {
    throw unsupported('dtype', value.type, `a graph's output is one of ${DTYPES.join(', ')}`);
  }
  const { data } = value;
  if (value.type === 'float16' && !(data instanceof Uint16Array)) {
    const bits = data as unknown as Float32Array;
    return {
      dtype: 'float16',
      shape: value.dims,
      data: new Uint16Array(bits.buffer, bits.byteOffset, bits.length),
    };
  }
  return { dtype: value.type, shape: value.dims, data: data as Float32Array };
}

function isRuntimeDtype(dtype: string): dtype is (typeof DTYPES)[number] & Dtype {
  return (DTYPES as readonly string[]).includes(dtype);
}
