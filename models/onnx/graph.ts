/**
 * Builds an ONNX graph node by node. Names depend only on the order of the calls, so the same
 * weights give the same bytes. The families of operators stand in ops/; serialise.ts writes the file.
 */
import { sizeOf } from '../array/tensor.ts';
import { invalid } from '../errors.ts';
import { checkValues, fitsHalf, float16, float32, int64 } from './initialiser.ts';
import type { Initialiser, Read } from './initialiser.ts';
import type { Storage } from './storage.ts';

/** The name of a tensor that flows through the graph. */
export type Value = string & { readonly __value: never };

/** A side: a number, or the name of a size that is known at run time only. */
export type Dim = number | string;

/** Whole numbers are ints in the file; a float says so. */
export type Attribute = number | readonly number[] | string | { readonly float: number };

export interface Node {
  readonly op: string;
  readonly domain: string;
  /** An empty name is an optional input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** What a graph takes and gives; float32 always (design.md section 3). */
export interface Port {
  readonly name: string;
  readonly shape: readonly Dim[];
}

/** Operators of com.microsoft; every other one is of the ONNX domain. */
const CONTRIB = new Set(['MatMulNBits', 'MultiHeadAttention', 'QuickGelu', 'RotaryEmbedding']);

export class Graph {
  readonly inputs: Port[] = [];
  readonly outputs: Port[] = [];
  readonly nodes: Node[] = [];
  readonly initialisers: Initialiser[] = [];
  /** Inner name -> name of the graph's output. */
  readonly renamed = new Map<string, string>();
  readonly #constants = new Map<string, Value>();
  readonly #taken = new Set<string>();

  /**
   * @param storage how weight matrices are kept in the file; the graph computes in float32 whatever it is
   * @param looked whether half precision can hold the weights that were looked at, by name: graphs that share
   * their weights share it, so that each is read once
   */
  constructor(
    readonly name: string,
    readonly storage: Storage = 'fp32',
    private readonly looked: Map<string, boolean> = new Map(),
  ) {}

  input(name: string, shape: readonly Dim[]): Value {
    this.inputs.push({ name, shape });
    return this.#claim(name);
  }

  /** Gives `value`, which a node must have made, the public name `name`. */
  output(name: string, value: Value, shape: readonly Dim[]): void {
    this.#claim(name);
    this.outputs.push({ name, shape });
    this.renamed.set(value, name);
  }

  /** Adds an operator with one output. `null` leaves an optional input out. */
  node(op: string, inputs: readonly (Value | null)[], attributes: Record<string, Attribute> = {}): Value {
    return this.nodeWithOutputs(op, 1, inputs, attributes)[0]!;
  }

  /** Adds an operator with `count` outputs. */
  nodeWithOutputs(
    op: string,
    count: number,
    inputs: readonly (Value | null)[],
    attributes: Record<string, Attribute> = {},
  ): Value[] {
    const base = `${op}_${this.nodes.length}`;
    const outputs = Array.from({ length: count }, (_, i) => this.#claim(count === 1 ? base : `${base}.${i}`));
    const domain = CONTRIB.has(op) ? 'com.microsoft' : '';
    this.nodes.push({ op, domain, inputs: inputs.map((value) => value ?? ''), outputs, attributes });
    return outputs;
  }

  /**
   * A weight, float32 inside the graph. Unless it is stored as float32 a Cast from half precision follows,
   * which the runtime folds when it opens the model; weights that half precision cannot hold stay float32.
   * @param read called when the file is written
   * @param look the same numbers in any order: called now, to see that all is well
   */
  weight(name: string, read: Read, shape: readonly number[], look: Read = read): Value {
    const half = this.fitsHalf(name, look, shape) && this.storage !== 'fp32';
    if (!half) return this.initialiser(float32(name, read, shape));
    return this.node('Cast', [this.initialiser(float16(name, read, shape))], { to: 1 });
  }

  /** Whether half precision can hold a weight. @throws when it is not finite, or not of `shape` */
  fitsHalf(name: string, look: Read, shape: readonly number[]): boolean {
    const known = this.looked.get(name);
    if (known !== undefined) return known;
    const values = look();
    const fits = values.length === sizeOf(shape) && fitsHalf(values);
    // What fits is finite.
    if (!fits) checkValues(name, values, shape);
    this.looked.set(name, fits);
    return fits;
  }

  /** A float32 constant under its own name, in memory until the graph is gone: biases, tables, scales. */
  constant(name: string, values: Float32Array, shape: readonly number[]): Value {
    checkValues(name, values, shape);
    return this.initialiser(float32(name, () => values, shape));
  }

  /** A constant of any kind under its own name. */
  initialiser(initialiser: Initialiser): Value {
    this.initialisers.push(initialiser);
    return this.#claim(initialiser.name);
  }

  /** An int64 vector: shapes, axes, pads. Equal ones are stored once. */
  ints(values: readonly number[]): Value {
    return this.#shared(`ints_${values.join('_')}`, (name) => int64(name, values, [values.length]));
  }

  /** A short float32 vector. Equal ones are stored once. */
  vector(values: readonly number[]): Value {
    return this.#shared(`vector_${values.join('_')}`, (name) =>
      float32(name, () => Float32Array.from(values), [values.length]),
    );
  }

  /** `size` times the same float32 value. Equal ones are stored once. */
  filled(size: number, value: number): Value {
    const values = () => new Float32Array(size).fill(value);
    return this.#shared(`filled_${size}_${value}`, (name) => float32(name, values, [size]));
  }

  #shared(name: string, make: (name: string) => Initialiser): Value {
    const known = this.#constants.get(name);
    if (known !== undefined) return known;
    const value = this.initialiser(make(name));
    this.#constants.set(name, value);
    return value;
  }

  #claim(name: string): Value {
    if (this.#taken.has(name)) throw invalid('value name', name, 'a graph can hold each name only once');
    this.#taken.add(name);
    return name as Value;
  }
}
