/** The unpickler's stack, marks and memo, with guards against pickles made to fill the memory. */
import { invalid, unsupported } from '../errors.ts';

/** A checkpoint of 3000 tensors with its optimizer has a tenth of each. */
const MOST_OPERATIONS = 2_000_000;
const MOST_CONTAINERS = 500_000;
const DEEPEST = 1000;
/** Bytes of all strings and byte strings together. */
const MOST_BYTES = 2 ** 28;
const BYTES_PER_ITEM = 32;

export class PickleStack {
  #items: unknown[] = [];
  /** The stacks below each open mark. */
  readonly #below: unknown[][] = [];
  readonly #memo = new Map<number, unknown>();
  #operations = 0;
  #containers = 0;
  #bytes = 0;

  constructor(readonly label: string) {}

  push(value: unknown): void {
    this.#items.push(value);
  }

  /** Pushes a new list, dict, set or object. */
  pushContainer(value: unknown): void {
    if (++this.#containers > MOST_CONTAINERS) throw this.tooLarge('many lists, dicts and objects');
    this.#items.push(value);
  }

  pop(): unknown {
    this.#need(1);
    return this.#items.pop();
  }

  popMany(count: number): unknown[] {
    this.#need(count);
    return this.#items.splice(this.#items.length - count);
  }

  top(): unknown {
    this.#need(1);
    return this.#items[this.#items.length - 1];
  }

  mark(): void {
    if (this.#below.length >= DEEPEST) throw this.tooLarge('many levels');
    this.#below.push(this.#items);
    this.#items = [];
  }

  /** Removes what lies above the last mark, and the mark. */
  popMark(): unknown[] {
    const below = this.#below.pop();
    if (below === undefined) throw this.damaged('it takes a mark that is not there');
    const items = this.#items;
    this.#items = below;
    return items;
  }

  /** POP: a value, or a mark with nothing above it. */
  drop(): void {
    if (this.#items.length === 0 && this.#below.length > 0) this.popMark();
    else this.pop();
  }

  memoize(index = this.#memo.size): void {
    this.#memo.set(index, this.top());
  }

  recall(index: number): unknown {
    if (!this.#memo.has(index)) throw this.damaged('it refers to a value that is not there');
    return this.#memo.get(index);
  }

  countOperation(): void {
    if (++this.#operations > MOST_OPERATIONS) throw this.tooLarge('many values');
  }

  /** To be asked before `length` bytes of text or data are read. */
  countBytes(length: number): void {
    this.#bytes += length;
    if (!(this.#bytes <= MOST_BYTES)) throw this.tooLarge('much text or data outside of tensors');
  }

  /**
   * To be asked before a handler goes through `value`, which a small pickle may hand over again and again:
   * every item counts for what it takes in memory.
   */
  countWork(value: unknown): void {
    this.#countSize(value);
    if (Array.isArray(value)) for (const item of value) this.#countSize(item);
  }

  damaged(fault: string): Error {
    return invalid('pickle', this.label, `${fault}; the file is damaged`);
  }

  tooLarge(what: string): Error {
    return unsupported('pickle', this.label, `it holds too ${what}; save only the weights`);
  }

  #countSize(value: unknown): void {
    if (typeof value === 'string') this.countBytes(value.length);
    else if (Array.isArray(value)) this.countBytes(value.length * BYTES_PER_ITEM);
    else if (value instanceof Map || value instanceof Set) this.countBytes(value.size * BYTES_PER_ITEM);
  }

  #need(count: number): void {
    if (this.#items.length < count) throw this.damaged('it takes a value that is not there');
  }
}
