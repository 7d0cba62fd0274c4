/** Compares the tensors of a checkpoint with those that its model needs, and says all that is wrong at once. */
import { PlaygroundError, shown } from '../errors.ts';

export interface ExpectedWeight {
  readonly shape: readonly number[];
  /** What decides about the shape, in words: `48 wide (x_embedder.proj.weight)`. */
  readonly by: string;
}

/** Names and shapes, whatever the file. */
export interface FoundWeights {
  readonly names: readonly string[];
  shape(name: string): readonly number[];
}

export interface Comparison {
  /** What the model is called: `NanoWM`. */
  readonly model: string;
  readonly expected: ReadonlyMap<string, ExpectedWeight>;
  /** What may be there without a word: counters, tables that are computed anyway. */
  readonly harmless: RegExp;
}

/** Names that a sentence lists before it counts the rest. */
const LISTED = 8;

/**
 * @returns a sentence for each kind of tensor that is not needed: it is left out
 * @throws one sentence with all that is missing, or all that has another shape
 */
export function compareWeights(found: FoundWeights, { model, expected, harmless }: Comparison): string[] {
  const names = new Set(found.names);
  const missing = [...expected.keys()].filter((name) => !names.has(name));
  if (missing.length > 0) {
    const count = missing.length === 1 ? 'weight' : `weights (${missing.length} of ${expected.size})`;
    const remedy = `the file is no complete ${model}; get it again or export it with all parts`;
    throw new PlaygroundError('missing', `missing ${count}: ${listed(missing)}; ${remedy}`);
  }
  const misshapen = [...expected].flatMap(([name, { shape, by }]) => {
    const stored = found.shape(name);
    if (stored.length === shape.length && stored.every((side, axis) => side === shape[axis])) return [];
    return [
      `${name} of shape ${shown(`[${stored.join(', ')}]`)} where [${shape.join(', ')}] is needed, by ${by}`,
    ];
  });
  if (misshapen.length > 0) {
    const count = misshapen.length === 1 ? 'weight' : `weights (${misshapen.length} of ${expected.size})`;
    const remedy = 'the file mixes two models or was altered';
    throw new PlaygroundError('invalid', `invalid ${count}: ${listed(misshapen, 3)}; ${remedy}`);
  }
  const extra = found.names.filter((name) => !expected.has(name) && !harmless.test(name)).map(shown);
  if (extra.length === 0) return [];
  const tensors = extra.length === 1 ? 'A tensor that is' : `${extra.length} tensors that are`;
  return [
    `${tensors} no part of ${article(model)} ${extra.length === 1 ? 'is' : 'are'} left out: ${listed(extra)}.`,
  ];
}

function article(noun: string): string {
  return `${/^[AEIO]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** `a, b, c and 5 more`; names from a file must be `shown` first. */
export function listed(names: readonly string[], most = LISTED): string {
  const first = names.slice(0, most);
  const rest = names.length - first.length;
  return rest === 0 ? first.join(', ') : `${first.join(', ')} and ${rest} more`;
}
