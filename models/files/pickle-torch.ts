/** PyTorch's part of the list: how it rebuilds tensors, and the names of its types. */
import type { Dtype } from '../array/tensor.ts';
import { invalid } from '../errors.ts';
import { LazyTensor, OddTensor, PickleGlobal } from './pickle-values.ts';
import { isCounts, viewOf } from './torch-tensor.ts';

/** `torch.float32`, or a type that has no numbers here. */
export class DtypeName extends PickleGlobal {
  constructor(
    name: string,
    readonly dtype: Dtype | string,
  ) {
    super(name);
  }
}

/** `torch.FloatStorage`; `dtype` null: bytes, whose meaning the tensor says. */
export class StorageType extends PickleGlobal {
  constructor(
    name: string,
    readonly dtype: Dtype | string | null,
    /** Bytes of an element. */
    readonly width: number,
  ) {
    super(name);
  }
}

type Call = (args: readonly unknown[]) => unknown;

/** (storage, offset, shape, strides, requires_grad, hooks, flags) */
const rebuildTensor: Call = ([storage, offset, shape, strides, , , flags]) => {
  const tensor = viewOf(storage, offset, shape, strides);
  // A view that means the negative of what is stored; the other flag concerns complex numbers only.
  const negated = flags instanceof Map && flags.get('neg') === true;
  return negated ? new OddTensor(`negated ${tensor.dtype}`, tensor.shape) : tensor;
};
const firstTensor: Call = ([tensor]) => {
  if (tensor instanceof LazyTensor || tensor instanceof OddTensor) return tensor;
  throw invalid('pickle', 'parameter without a tensor', 'the file is damaged');
};

export const TORCH_CALLS: Readonly<Record<string, Call>> = {
  'torch._utils._rebuild_tensor': rebuildTensor,
  'torch._utils._rebuild_tensor_v2': rebuildTensor,
  // (storage, offset, shape, strides, requires_grad, hooks, dtype)
  'torch._utils._rebuild_tensor_v3': ([storage, offset, shape, strides, , , dtype]) => {
    if (dtype instanceof DtypeName) return viewOf(storage, offset, shape, strides, dtype.dtype);
    throw invalid('pickle', 'tensor without a dtype', 'the file is damaged');
  },
  'torch._utils._rebuild_parameter': firstTensor,
  'torch._utils._rebuild_parameter_with_state': firstTensor,
  // A tensor with attributes: (function, type, arguments, state).
  'torch._tensor._rebuild_from_type_v2': ([rebuild, , args]) => {
    const plain =
      rebuild instanceof PickleGlobal && /^torch\._utils\._rebuild_(tensor|param)/.test(rebuild.name);
    if (plain && rebuild.call && Array.isArray(args)) return rebuild.call(args);
    throw invalid('pickle', 'tensor with attributes', 'it is of no kind that we know; save only the weights');
  },
  'torch.Size': ([sides]) => {
    if (isCounts(sides)) return sides;
    throw invalid('pickle', 'torch.Size', 'its sides are no numbers; the file is damaged');
  },
  'torch.device': (parts) => textsOf(parts, 'torch.device').join(':'),
  'torch.serialization._get_layout': ([name]) => textsOf([name], 'torch.layout')[0],
  'torch.torch_version.TorchVersion': ([text]) => textsOf([text], 'TorchVersion')[0],
};

/** PyTorch's dtypes by their names, and those of its typed storages. */
const DTYPES: Readonly<Record<string, Dtype>> = {
  float32: 'float32',
  float64: 'float64',
  float16: 'float16',
  bfloat16: 'bfloat16',
  float8_e4m3fn: 'float8_e4m3fn',
  float8_e5m2: 'float8_e5m2',
  uint8: 'uint8',
  int8: 'int8',
  uint16: 'uint16',
  int16: 'int16',
  uint32: 'uint32',
  int32: 'int32',
  uint64: 'uint64',
  int64: 'int64',
  bool: 'bool',
};
const ODD_DTYPE = /^(complex(32|64|128)|q?u?int\d+(x\d+)?|bits\d+(x\d+)?|float\d+_\w+)$/;
/** Kind of a storage: dtype, bytes of an element. */
const STORAGES: Readonly<Record<string, readonly [Dtype | string | null, number]>> = {
  Float: ['float32', 4],
  Double: ['float64', 8],
  Half: ['float16', 2],
  BFloat16: ['bfloat16', 2],
  Byte: ['uint8', 1],
  Char: ['int8', 1],
  Short: ['int16', 2],
  Int: ['int32', 4],
  Long: ['int64', 8],
  Bool: ['bool', 1],
  Untyped: [null, 1],
  ComplexFloat: ['complex64', 8],
  ComplexDouble: ['complex128', 16],
  QInt8: ['qint8', 1],
  QUInt8: ['quint8', 1],
  QInt32: ['qint32', 4],
};
/** Of a path: its parts, and the letters of each. */
const MOST_TEXTS = 256;
const LONGEST_TEXT = 4096;
const CLASSES = ['torch.Tensor', 'torch.nn.parameter.Parameter', 'torch.nn.parameter.Buffer'];

/** The dtype, storage or tensor type called `full`; undefined when PyTorch has none of that name. */
export function torchType(full: string): PickleGlobal | undefined {
  const storage = /^torch\.(?:cuda\.|storage\.)?(\w+)Storage$/.exec(full)?.[1];
  if (storage !== undefined && Object.hasOwn(STORAGES, storage)) {
    const [dtype, width] = STORAGES[storage];
    return new StorageType(full, dtype, width);
  }
  const name = /^torch\.(\w+)$/.exec(full)?.[1];
  if (name !== undefined && Object.hasOwn(DTYPES, name)) return new DtypeName(full, DTYPES[name]);
  if (name !== undefined && ODD_DTYPE.test(name)) return new DtypeName(full, name);
  return CLASSES.includes(full) ? new PickleGlobal(full) : undefined;
}

/** A few short texts or numbers, as text. */
export function textsOf(parts: readonly unknown[], name: string): string[] {
  const short = (part: unknown) =>
    typeof part === 'number' || (typeof part === 'string' && part.length <= LONGEST_TEXT);
  if (parts.length <= MOST_TEXTS && parts.every(short)) return parts.map(String);
  throw invalid('pickle', name, 'its arguments are no short texts; the file is damaged');
}
