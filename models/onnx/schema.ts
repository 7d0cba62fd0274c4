/** Numbers of the ONNX format (onnx.proto3, ONNX 1.16, IR version 10): those that we write or read. */
import type { Dtype } from '../array/tensor.ts';

/** IR version 10 is the one of opset 21. */
export const IR_VERSION = 10;
/** Operator sets that our graphs use; onnxruntime-web 1.30 has kernels for these (facts/onnxruntime-web.md). */
export const OPSETS = [
  { domain: '', version: 21 },
  { domain: 'com.microsoft', version: 1 },
] as const;

export const MODEL = { irVersion: 1, producer: 2, producerVersion: 3, graph: 7, opset: 8 } as const;
export const OPSET = { domain: 1, version: 2 } as const;
export const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 } as const;
export const NODE = { input: 1, output: 2, name: 3, op: 4, attribute: 5, domain: 7 } as const;
export const ATTRIBUTE = { name: 1, float: 2, int: 3, string: 4, floats: 7, ints: 8, type: 20 } as const;
export const ATTRIBUTE_TYPE = { float: 1, int: 2, string: 3, floats: 6, ints: 7 } as const;
export const TENSOR = { dims: 1, dtype: 2, name: 8, raw: 9, external: 13, location: 14 } as const;
export const ENTRY = { key: 1, value: 2 } as const;
/** TensorProto.DataLocation.EXTERNAL. */
export const EXTERNAL = 1;
export const VALUE_INFO = { name: 1, type: 2 } as const;
export const TYPE = { tensor: 1 } as const;
export const TENSOR_TYPE = { dtype: 1, shape: 2 } as const;
export const SHAPE = { dim: 1 } as const;
export const DIM = { value: 1, name: 2 } as const;

/** TensorProto.DataType. */
export const DTYPE_CODES: Readonly<Record<Dtype, number>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
  bfloat16: 16,
  float8_e4m3fn: 17,
  float8_e5m2: 19,
};

/** The dtype of a TensorProto.DataType code; undefined for the codes that we do not use (string, complex, 4-bit). */
export function dtypeOfCode(code: number): Dtype | undefined {
  return (Object.keys(DTYPE_CODES) as Dtype[]).find((dtype) => DTYPE_CODES[dtype] === code);
}
