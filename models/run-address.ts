/** A run spec as the readable query text of a link, and back: only what differs from the default. */
import type { Manifest } from './bundle/manifest.ts';
import { invalid, unknown } from './errors.ts';
import { defaultSpec, parseSpec } from './run.ts';
import type { RunSpec } from './run.ts';

/** Keys of the link, and whether their value is a number. `bundle` and `clip` always stand in it. */
const RUN_KEYS = {
  context: true,
  horizon: true,
  seed: true,
  noise: false,
  keep: true,
  precision: false,
  backend: false,
} as const;
const SAMPLER_KEYS = { mode: false, lag: true, steps: true, eta: true, stabilisation: true } as const;

/**
 * `spec` as text such as `bundle=maze&clip=03&mode=pyramid&steps=8`. A matrix is written column by
 * column, as the drops from row to row: `0x4.1x8_0x12.1x8` waits 4 rows, falls by 1 in each of 8.
 */
export function encodeSpec(spec: RunSpec, manifest: Manifest): string {
  const defaults = defaultSpec(manifest, spec.clip);
  const parts = [`bundle=${encodeURIComponent(spec.bundle)}`];
  if (spec.clip !== '') parts.push(`clip=${encodeURIComponent(spec.clip)}`);
  for (const key of keysOf(RUN_KEYS)) {
    if (spec[key] !== defaults[key]) parts.push(`${key}=${spec[key]}`);
  }
  for (const key of keysOf(SAMPLER_KEYS)) {
    // A lag or a matrix says the mode by itself.
    if (key === 'mode' && (spec.sampler.mode === 'lag' || spec.sampler.mode === 'matrix')) continue;
    const value = spec.sampler[key];
    if (value !== defaults.sampler[key]) parts.push(`${key}=${value}`);
  }
  if (spec.sampler.matrix) parts.push(`matrix=${encodeMatrix(spec.sampler.matrix)}`);
  return parts.join('&');
}

/** The bundle that a link names, before its manifest is there; null when it names none. */
export function bundleOfAddress(text: string): string | null {
  return fieldsOf(text).get('bundle') ?? null;
}

/**
 * The spec in the query text of a link, with or without the `?` or `#` in front.
 * @throws one sentence that names the part which is unknown, double, or wrong.
 */
export function decodeSpec(text: string, manifest: Manifest): RunSpec {
  const fields = fieldsOf(text);
  const run: Record<string, unknown> = {};
  const sampler: Record<string, unknown> = {};
  for (const [key, value] of fields) {
    if (key === 'bundle' || key === 'clip') run[key] = value;
    else if (Object.hasOwn(RUN_KEYS, key))
      run[key] = read(key, value, RUN_KEYS[key as keyof typeof RUN_KEYS]);
    else if (Object.hasOwn(SAMPLER_KEYS, key))
      sampler[key] = read(key, value, SAMPLER_KEYS[key as keyof typeof SAMPLER_KEYS]);
    else if (key !== 'matrix') throw unknown('part of the link', key, 'remove it');
  }
  const matrix = fields.get('matrix');
  if (matrix !== undefined) {
    const steps = (sampler.steps as number | undefined) ?? defaultSpec(manifest).sampler.steps;
    sampler.matrix = decodeMatrix(matrix, steps);
    sampler.steps = steps;
  }
  return parseSpec({ ...run, sampler }, manifest, fields.get('clip') ?? '');
}

function keysOf<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object) as (keyof T)[];
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const part of text.replace(/^[?#]/, '').split('&')) {
    if (part === '') continue;
    const [key, ...rest] = part.split('=');
    if (fields.has(key)) throw invalid('link', part, `it says ${key} twice; keep one`);
    if (rest.length !== 1) throw invalid('link', part, 'each part is name=value');
    fields.set(key, decode(rest[0]));
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
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(value)) throw invalid(key, value, 'give a number');
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
