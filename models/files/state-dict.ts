/** Finds the named weights in what a training run saved, and what it says of itself. */
import { invalid, missing, unknown } from '../errors.ts';
import { NumpyArray } from './pickle-numpy.ts';
import { plainOf } from './pickle-plain.ts';
import { LazyTensor, PickleObject } from './pickle-values.ts';

export interface StateDict {
  /** `bare`, or the place in the file: `state_dict`, `ema.model`. */
  readonly where: string;
  readonly tensors: ReadonlyMap<string, LazyTensor>;
  /** As plain data; null when there are none. */
  readonly hyperparameters: unknown;
  /** Entries that are neither: optimizer states, other weights, values without numbers. */
  readonly others: readonly string[];
}

type Dict = ReadonlyMap<unknown, unknown>;

/** Places of weights, the first that is there (facts/nanowm.md section 1; ema last, since few want it). */
const PREFERRED = ['state_dict', 'model', 'ema'];
/** Places of other tensors. */
const NO_WEIGHTS = /^(optim|lr_sched|sched|callbacks|loops|scaler|grad_scaler|rng)/;
const HYPERPARAMETERS = ['hyper_parameters', 'hyperparameters', 'hparams', 'config', 'cfg', 'args', 'opt'];
/** Levels and entries of dicts in dicts of arrays, as Flax writes them. */
const DEEPEST = 20;
const MOST_ENTRIES = 100_000;

/**
 * The weights in `value`, a pickle's. @param part a place as in `where`, instead of the preferred one.
 * @throws one sentence when there are none, or several and none preferred.
 */
export function findStateDict(value: unknown, label: string, part?: string): StateDict {
  if (!(value instanceof Map)) {
    const found = tensorOf(value) ? 'one tensor without a name' : 'no named weights';
    throw invalid(
      'checkpoint',
      label,
      `it holds ${found}; save a state dict: torch.save(model.state_dict(), f)`,
    );
  }
  const places = placesIn(value);
  const where = part ?? preferred([...places.keys()], label);
  const dict = places.get(where);
  if (!dict) {
    const remedy = `it has ${[...places.keys()].join(', ') || 'no weights'}`;
    throw missing('part', `'${where}' of ${label}`, remedy);
  }
  const tensors = new Map<string, LazyTensor>();
  const others: string[] = [];
  for (const [key, item] of dict) {
    const tensor = tensorOf(item);
    if (tensor && typeof key === 'string') tensors.set(key, tensor);
    else others.push(where === 'bare' ? nameOf(key) : `${where}.${nameOf(key)}`);
  }
  if (where === 'bare') return { where, tensors, hyperparameters: null, others };
  const said = HYPERPARAMETERS.find((key) => isSaid(value.get(key)));
  const top = value.has(where) ? where : where.split('.')[0];
  others.push(...[...value.keys()].filter((key) => key !== top && key !== said).map(nameOf));
  return { where, tensors, hyperparameters: said === undefined ? null : plainOf(value.get(said)), others };
}

/** Every dict that holds tensors, at the top, in it, or in one in it. */
function placesIn(value: Dict): ReadonlyMap<string, Dict> {
  const places = new Map<string, Dict>();
  const add = (name: string, item: unknown): boolean => {
    if (!(item instanceof Map) || ![...item.values()].some(tensorOf)) return false;
    places.set(name, item);
    return true;
  };
  add('bare', value);
  for (const [key, item] of value) {
    if (typeof key !== 'string' || add(key, item) || !(item instanceof Map)) continue;
    for (const [inner, dict] of item) if (typeof inner === 'string') add(`${key}.${inner}`, dict);
  }
  if (places.size === 0) {
    const flat = flattened(value);
    if (flat.size > 0) places.set('bare', flat);
  }
  return places;
}

function preferred(places: readonly string[], label: string): string {
  for (const name of PREFERRED) {
    const found = places.find((place) => place === name || place.startsWith(`${name}.`));
    if (found !== undefined) return found;
  }
  if (places.includes('bare')) return 'bare';
  const [first, ...more] = places.filter((place) => !NO_WEIGHTS.test(place));
  if (first === undefined) {
    throw missing(
      'weights',
      label,
      'it holds no named tensors; save a state dict: torch.save(m.state_dict(), f)',
    );
  }
  if (more.length === 0) return first;
  throw unknown('part', `of ${label} to take`, `it has ${[first, ...more].join(', ')}; name one of them`);
}

/** The tensors of dicts in dicts under names with dots. */
function flattened(value: Dict): Dict {
  const flat = new Map<string, unknown>();
  let count = 0;
  const visit = (dict: Dict, prefix: string, depth: number): void => {
    for (const [key, item] of dict) {
      // Dicts may be shared, even with themselves.
      if (++count > MOST_ENTRIES || depth > DEEPEST) return;
      const name = `${prefix}${nameOf(key)}`;
      if (tensorOf(item)) flat.set(name, item);
      else if (item instanceof Map) visit(item, `${name}.`, depth + 1);
    }
  };
  visit(value, '', 0);
  return flat;
}

function tensorOf(value: unknown): LazyTensor | null {
  const tensor = value instanceof NumpyArray ? value.tensor : value;
  return tensor instanceof LazyTensor ? tensor : null;
}

function isSaid(value: unknown): boolean {
  return value instanceof Map || value instanceof PickleObject;
}

function nameOf(key: unknown): string {
  return typeof key === 'string' || typeof key === 'number' ? String(key) : '(a key)';
}
