/** A run spec as the readable query text of a link, and back: only what differs from the default. */
import type { Manifest } from './bundle/manifest.ts';
import { invalid, missing, unknown } from './errors.ts';
import { defaultSpec, parseSpec } from './run.ts';
import type { RunSpec } from './run.ts';

/** Keys of the link, and whether their value is a number. `bundle`, and `clip` where there is one, always stand in it. */
const RUN_KEYS = {
  bundle: false,
  clip: false,
  context: true,
  horizon: true,
  seed: true,
  noise: false,
  keep: true,
  precision: false,
  backend: false,
} as const;
const SAMPLER_KEYS = { mode: false, lag: true, steps: true, eta: true, stabilisation: true } as const;

/** What the page writes into a link beside the run: how it is looked at. A run does not depend on it. */
export const VIEW_KEYS = [
  'screen',
  'frame',
  'truth',
  'gain',
  'speed',
  'loop',
  'table',
  'measure',
  'theme',
  'testing',
] as const;

export interface Link {
  /** JSON for parseSpec; limits are checked there. */
  readonly run: { readonly bundle?: string; readonly clip?: string; readonly [key: string]: unknown };
  /** The parts under VIEW_KEYS, as text. */
  readonly view: ReadonlyMap<string, string>;
}

/**
 * `spec` as text such as `bundle=maze&clip=03&mode=pyramid&steps=8`. A matrix is written column by
 * column, as the drops from row to row: `0x4.1x8_0x12.1x8` waits 4 rows, falls by 1 in each of 8.
 */
export function encodeSpec(spec: RunSpec, manifest: Manifest): string {
  const defaults = { ...defaultSpec(manifest), bundle: '' };
  const { matrix, mode } = spec.sampler;
  const parts: string[] = [];
  const put = (key: string, value: unknown) => {
    // Colons are allowed there and read better as they are.
    parts.push(`${key}=${encodeURIComponent(String(value)).replaceAll('%3A', ':')}`);
  };
  for (const key of keysOf(RUN_KEYS)) if (spec[key] !== defaults[key]) put(key, spec[key]);
  for (const key of keysOf(SAMPLER_KEYS)) {
    // A lag or a matrix says the mode by itself.
    if (key === 'mode' && (mode === 'lag' || mode === 'matrix')) continue;
    const needed = key === 'steps' && matrix !== null;
    if (needed || spec.sampler[key] !== defaults.sampler[key]) put(key, spec.sampler[key]);
  }
  if (matrix) put('matrix', encodeMatrix(matrix));
  return parts.join('&');
}

/**
 * What a link says, before any manifest is there: its query text with or without the `?` or `#` in
 * front.
 * @throws one sentence that names the part which is unknown, double, or not readable.
 */
export function readLink(text: string): Link {
  const run: Record<string, unknown> = {};
  const sampler: Record<string, unknown> = {};
  const view = new Map<string, string>();
  let matrix: string | null = null;
  for (const [key, value] of fieldsOf(text)) {
    if (isKey(RUN_KEYS, key)) run[key] = read(key, value, RUN_KEYS[key]);
    else if (isKey(SAMPLER_KEYS, key)) sampler[key] = read(key, value, SAMPLER_KEYS[key]);
    else if (key === 'matrix') matrix = value;
    else if (isViewKey(key)) view.set(key, value);
    else throw unknown('part of the link', key, 'remove it');
  }
  if (matrix !== null) {
    const { steps } = sampler;
    if (typeof steps !== 'number') throw missing('part of the link', 'steps', 'a matrix needs them');
    sampler['matrix'] = decodeMatrix(matrix, steps);
  }
  return { run: Object.keys(sampler).length > 0 ? { ...run, sampler } : run, view };
}

/** The spec that a link means with this bundle. @throws as `readLink` and `parseSpec`. */
export function decodeSpec(text: string, manifest: Manifest): RunSpec {
  return parseSpec(readLink(text).run, manifest);
}

function keysOf<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object) as (keyof T)[];
}

function isKey<T extends object>(object: T, key: string): key is keyof T & string {
  return Object.hasOwn(object, key);
}

function isViewKey(key: string): boolean {
  return (VIEW_KEYS as readonly string[]).includes(key);
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const part of text.replace(/^[?#]/, '').split('&')) {
    if (part === '') continue;
    const [key, ...rest] = part.split('=');
    if (fields.has(key)) throw invalid('link', part, `it says ${key} twice; keep one`);
    // A view may be a name alone.
    if (rest.length > 1 || (rest.length === 0 && !isViewKey(key))) {
      throw invalid('link', part, 'each part is name=value');
    }
    fields.set(key, decode(rest[0] ?? ''));
  }
  return fields;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw invalid('link', value, 'it is damaged; copy the whole link again');
  }
}

function read(key: string, value: string, isNumber: boolean): unknown {
  if (!isNumber) return value;
  if (value === 'null') return null;
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(value)) throw invalid(`${key} in the link`, value, 'give a number');
  return Number(value);
}

function encodeMatrix(matrix: readonly (readonly number[])[]): string {
  const columns = matrix[0].map((_, frame) => {
    const runs: { drop: number; count: number }[] = [];
    for (let row = 1; row < matrix.length; row++) {
      const drop = matrix[row - 1][frame] - matrix[row][frame];
      const last = runs[runs.length - 1];
      if (last?.drop === drop) last.count++;
      else runs.push({ drop, count: 1 });
    }
    return runs.map(({ drop, count }) => (count === 1 ? `${drop}` : `${drop}x${count}`)).join('.');
  });
  return columns.join('_');
}

/** Rows of a matrix that a link may have, enough for 1000 steps of several frames, and levels in all. */
const MOST_ROWS = 20_000;
const MOST_LEVELS = 4_000_000;

function decodeMatrix(text: string, steps: number): number[][] {
  let left = MOST_LEVELS;
  const columns = text.split('_').map((column) => {
    const levels = [steps];
    for (const run of column.split('.')) {
      const match = /^(\d{1,4})(?:x(\d{1,5}))?$/.exec(run);
      const count = Number(match?.[2] ?? 1);
      left -= count;
      if (!match || levels.length + count > MOST_ROWS || left < 0) {
        throw invalid('matrix in the link', text, 'copy the whole link again');
      }
      for (let i = 0; i < count; i++) levels.push(levels[levels.length - 1] - Number(match[1]));
    }
    return levels;
  });
  if (columns.some((column) => column.length !== columns[0].length)) {
    throw invalid('matrix in the link', text, 'its columns differ in length; copy the whole link again');
  }
  return columns[0].map((_, row) => columns.map((column) => column[row]));
}
