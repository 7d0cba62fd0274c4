/**
 * What a pickle's values become here: data, never code. None is null; an integer is a number, beyond 2^53 a
 * bigint; bytes are Uint8Array; list and tuple are arrays; every kind of dict is a Map and every kind of set a
 * Set; the rest are the classes below.
 */
import type { Dtype, Tensor } from '../array/tensor.ts';

/** A class or function that a pickle names. `call` makes data of arguments; nothing of Python is called. */
export class PickleGlobal {
  constructor(
    /** With its module, as Python 3 calls it: `torch._utils._rebuild_tensor_v2`. */
    readonly name: string,
    /** Absent where the name itself is the data. @throws one sentence for wrong arguments. */
    readonly call?: (args: readonly unknown[]) => unknown,
  ) {}
}

/** Made first and filled later, by the opcode BUILD. */
export interface Buildable {
  build(state: unknown): void;
}

export function isBuildable(value: unknown): value is Buildable {
  return typeof value === 'object' && value !== null && 'build' in value && typeof value.build === 'function';
}

/** An instance whose state is plain data: a namespace, a node of omegaconf. */
export class PickleObject implements Buildable {
  /** Attributes by name. */
  state: ReadonlyMap<unknown, unknown> = new Map();

  constructor(readonly type: string) {}

  build(state: unknown): void {
    // A class with slots hands over (dict or None, slots).
    const parts = Array.isArray(state) ? state : [state];
    const merged = parts.flatMap((part) => (part instanceof Map ? [...part] : []));
    this.state = new Map(merged);
  }
}

/** A tensor whose numbers stay in the file until they are read. */
export class LazyTensor {
  constructor(
    readonly dtype: Dtype,
    readonly shape: readonly number[],
    /** Row-major; may be a view of the file's bytes. */
    readonly read: () => Tensor,
  ) {}
}

/** A tensor of a type that has no numbers here (complex, quantised): told of, not read. */
export class OddTensor {
  constructor(
    readonly dtype: string,
    readonly shape: readonly number[],
  ) {}
}

/** A Python integer. */
export function wholeNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
