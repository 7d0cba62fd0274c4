/** Named tensors of a checkpoint, whatever file they came from. */
import { BYTES_PER_ELEMENT } from '../array/bytes.ts';
import { sizeOf } from '../array/tensor.ts';
import type { Dtype, Tensor } from '../array/tensor.ts';
import { missing } from '../errors.ts';

export interface Weights {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Shape and dtype are known without reading the data. */
  shape(name: string): readonly number[];
  dtype(name: string): Dtype;
  /** The tensor; its data may be a view of the file's bytes, so do not write into it. */
  get(name: string): Tensor;
}

/** One tensor that a file offers: `read` fetches its data. */
export interface WeightEntry {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly read: () => Tensor;
}

/** Weights over `entries`; asking for a name that is not there says how many there are. */
export function weightsFrom(entries: ReadonlyMap<string, WeightEntry>, label: string): Weights {
  const entry = (name: string): WeightEntry => {
    const found = entries.get(name);
    if (found) return found;
    const remedy = `${label} holds ${entries.size} others; is it the file for this model?`;
    throw missing('weight', name, remedy);
  };
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    shape: (name) => entry(name).shape,
    dtype: (name) => entry(name).dtype,
    get: (name) => entry(name).read(),
  };
}

/** Weights over tensors in memory. */
export function weightsOf(tensors: Readonly<Record<string, Tensor>>, label = 'the checkpoint'): Weights {
  const entries = Object.entries(tensors).map(
    ([name, t]) => [name, { dtype: t.dtype, shape: t.shape, read: () => t }] as const,
  );
  return weightsFrom(new Map(entries), label);
}

/** Bytes of all tensors as they lie in the file. */
export function tensorBytes(weights: Weights): number {
  return weights.names.reduce(
    (sum, name) => sum + sizeOf(weights.shape(name)) * BYTES_PER_ELEMENT[weights.dtype(name)],
    0,
  );
}

/** How many numbers `weights` hold altogether. */
export function parameterCount(weights: Weights): number {
  return weights.names.reduce((sum, name) => sum + sizeOf(weights.shape(name)), 0);
}
