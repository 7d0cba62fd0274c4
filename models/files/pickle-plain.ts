/** A pickle's values as JSON would hold them: for reading and showing, without what ties them together. */
import { LazyTensor, OddTensor, PickleGlobal, PickleObject } from './pickle-values.ts';
import { NumpyArray, NumpyDtype } from './pickle-numpy.ts';
import { OMEGACONF_CONTAINERS, OMEGACONF_NODES } from './pickle-allow.ts';

/** Shared values are written out each time, so a small pickle can mean a huge text. */
const MOST_VALUES = 20_000;
const DEEPEST = 60;
const CUT = '...';

/**
 * Dicts and namespaces as objects, lists, tuples and sets as lists, paths, types and tensors as text. What lies
 * too deep or comes after 20,000 values is `...`.
 */
export function plainOf(value: unknown): unknown {
  let count = 0;
  const object = (map: ReadonlyMap<unknown, unknown>, depth: number): unknown =>
    Object.fromEntries([...map].map(([key, item]) => [keyOf(key), plain(item, depth)]));
  const plain = (item: unknown, depth: number): unknown => {
    if (++count > MOST_VALUES || depth > DEEPEST) return CUT;
    if (item instanceof Map) return object(item, depth + 1);
    if (Array.isArray(item) || item instanceof Set) {
      return [...(item as Iterable<unknown>)].slice(0, MOST_VALUES).map((one) => plain(one, depth + 1));
    }
    if (item instanceof PickleObject) {
      if (OMEGACONF_CONTAINERS.includes(item.type)) return plain(item.state.get('_content'), depth + 1);
      if (OMEGACONF_NODES.includes(item.type)) return plain(item.state.get('_val'), depth + 1);
      return object(item.state, depth + 1);
    }
    return leaf(item);
  };
  return plain(value, 0);
}

function keyOf(key: unknown): string {
  if (typeof key === 'string') return key;
  if (Array.isArray(key)) return `(${key.slice(0, 8).map(wordOf).join(', ')})`;
  return wordOf(key);
}

function wordOf(value: unknown): string {
  const word = leaf(value);
  return typeof word === 'object' && word !== null ? CUT : String(word).slice(0, 80);
}

function leaf(value: unknown): unknown {
  if (value instanceof PickleGlobal) return value.name;
  if (value instanceof LazyTensor || value instanceof OddTensor) return tensorText(value);
  if (value instanceof NumpyArray) return value.tensor ? tensorText(value.tensor) : 'array of objects';
  if (value instanceof NumpyDtype) return `numpy ${value.code}`;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value === 'bigint') return value.toString();
  return value ?? null;
}

function tensorText({ dtype, shape }: LazyTensor | OddTensor): string {
  return `tensor ${dtype} [${shape.join(', ')}]`;
}
