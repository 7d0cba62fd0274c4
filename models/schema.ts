/** Checks JSON from outside against a valibot schema; the first fault becomes one sentence. */
import * as v from 'valibot';
import { PlaygroundError, shown } from './errors.ts';

/**
 * `json` as the schema's output. `noun` names the document ('manifest', 'run spec'); `remedy` says
 * what to do.
 * @throws missing / unknown / invalid `noun` field: its dotted path, the value, the remedy.
 */
export function parseWith<const S extends v.GenericSchema>(
  schema: S,
  json: unknown,
  noun: string,
  remedy: string,
): v.InferOutput<S> {
  if (Array.isArray(json)) {
    throw new PlaygroundError('invalid', `invalid ${noun}; it is a list, not an object; ${remedy}`);
  }
  const result = v.safeParse(schema, json, { abortEarly: true, abortPipeEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = shown(v.getDotPath(issue) ?? '');
  const isKey = issue.path !== undefined && issue.path[issue.path.length - 1].origin === 'key';
  if (isKey && issue.expected === 'never') {
    throw new PlaygroundError('unknown', `unknown ${noun} field: ${path}; remove it`);
  }
  if (isKey && issue.input === undefined) {
    throw new PlaygroundError('missing', `missing ${noun} field: ${path}; ${remedy}`);
  }
  const where = path === '' ? noun : `${noun} field: ${path}`;
  throw new PlaygroundError('invalid', `invalid ${where}; ${reason(issue)}; ${remedy}`);
}

/** A whole number in a range, both ends included. */
export function whole(min: number, max: number) {
  const words = `give a whole number from ${min} to ${max}`;
  const message = (issue: { readonly input: unknown }) => `${display(issue.input)} is not allowed, ${words}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

/** A finite number in a range, both ends included. */
export function finite(min: number, max: number) {
  const words = `give a number from ${min} to ${max}`;
  const message = (issue: { readonly input: unknown }) => `${display(issue.input)} is not allowed, ${words}`;
  return v.pipe(v.number(message), v.finite(message), v.minValue(min, message), v.maxValue(max, message));
}

/** One of the words given. */
export function oneOf<const T extends readonly string[]>(words: T) {
  return v.picklist(words, (issue) => `${display(issue.input)} is not known, use ${words.join(', ')}`);
}

function display(value: unknown): string {
  const text = shown(typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value)));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Why the value is wrong, with the value in front where the words do not hold it. */
function reason({ message, input }: { readonly message: string; readonly input: unknown }): string {
  const words = lower(message.replace(/^Invalid \w+: /, ''));
  const value = display(input);
  return words.includes(value) ? words : `${value} is not allowed, ${words}`;
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
