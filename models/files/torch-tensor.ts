/** PyTorch's tensors as they lie in a file: a storage, and an offset, sides and strides over it. */
import { arrayOfBytes, BYTES_PER_ELEMENT } from '../array/bytes.ts';
import { sizeOf } from '../array/tensor.ts';
import type { ArrayByDtype, Dtype, Tensor } from '../array/tensor.ts';
import { invalid } from '../errors.ts';
import { LazyTensor, OddTensor } from './pickle-values.ts';
import type { ByteSource } from './source.ts';

/** Bytes of a file that tensors share. */
export class TorchStorage {
  constructor(
    /** `data/3 in model.pt`. */
    readonly label: string,
    /** What its elements are: a dtype, the name of one that has no numbers here, or null for bytes. */
    readonly dtype: Dtype | string | null,
    /** Bytes, and how to reach them. */
    readonly size: number,
    readonly open: () => ByteSource,
  ) {}
}

/** A tensor of more copies of its numbers than this, in bytes, is not written out. */
const LARGEST_REPETITION = 2 ** 26;
/** PyTorch's own limit of sides. */
const MOST_SIDES = 64;

/**
 * The view of `storage` with sides `shape`; `strides` and `offset` in elements of `dtype`, the storage's own
 * unless given. @throws one sentence when it would leave the storage.
 */
export function viewOf(
  storage: unknown,
  offset: unknown,
  shape: unknown,
  strides: unknown,
  given?: Dtype | string,
): LazyTensor | OddTensor {
  if (!(storage instanceof TorchStorage) || !isCount(offset) || !isCounts(shape) || !isCounts(strides)) {
    throw invalid('pickle', 'tensor without storage, offset, sides, strides', 'the file is damaged');
  }
  const dtype = given ?? storage.dtype ?? 'uint8';
  if (!isDtype(dtype)) return new OddTensor(dtype, shape);
  const width = BYTES_PER_ELEMENT[dtype];
  const claim = `of shape [${shape.join(', ')}] over ${storage.label}`;
  if (shape.length !== strides.length || shape.length > MOST_SIDES) {
    throw invalid('tensor', claim, `it has ${strides.length} strides; the file is damaged`);
  }
  const count = shape.includes(0) ? 0 : sizeOf(shape);
  // The last element; every stride is 0 or more, so none lies further.
  const reach = count === 0 ? 0 : shape.reduce((sum, side, axis) => sum + (side - 1) * strides[axis], 0) + 1;
  if (!((offset + reach) * width <= storage.size)) {
    throw invalid('tensor', claim, `its storage ends before, at ${storage.size} bytes; the file is damaged`);
  }
  if (!(count * width <= Math.max(storage.size, LARGEST_REPETITION))) {
    throw invalid('tensor', claim, 'it repeats its numbers too often; save it with .contiguous()');
  }
  const read = (): Tensor => {
    const span = arrayOfBytes(dtype, storage.open().read(offset * width, reach * width));
    const data = isContiguous(shape, strides) ? span : gather(span, shape, strides, dtype);
    return { dtype, shape, data };
  };
  return new LazyTensor(dtype, shape, read);
}

/** Row-major without gaps; sides of 1 may have any stride. */
function isContiguous(shape: readonly number[], strides: readonly number[]): boolean {
  if (shape.includes(0)) return true;
  let expected = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && strides[axis] !== expected) return false;
    expected *= shape[axis];
  }
  return true;
}

/** The elements of a view, put in row-major order. */
function gather(
  span: ArrayByDtype[Dtype],
  shape: readonly number[],
  strides: readonly number[],
  dtype: Dtype,
): ArrayByDtype[Dtype] {
  const out = arrayOfBytes(dtype, new Uint8Array(sizeOf(shape) * BYTES_PER_ELEMENT[dtype]));
  const last = shape.length - 1;
  const index = shape.map(() => 0);
  for (let to = 0, row = 0; to < out.length;) {
    for (let i = 0; i < shape[last]; i++) out[to++] = span[row + i * strides[last]] as never;
    for (let axis = last - 1; axis >= 0; axis--) {
      row += strides[axis];
      if (++index[axis] < shape[axis]) break;
      row -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

function isDtype(name: string): name is Dtype {
  return Object.hasOwn(BYTES_PER_ELEMENT, name);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}
