/**
 * The one error type that the project throws on purpose.
 *
 * `name` is the code (it survives a worker boundary, where comlink keeps only name, message and
 * stack), `message` is the sentence for the reader: what is wrong, with the value, then what to do.
 */
export type ErrorCode = 'invalid' | 'missing' | 'unknown' | 'unsupported' | 'aborted';

export class PlaygroundError extends Error {
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = code;
  }
}

/** A value is there but wrong: `invalid steps: -3; give a whole number from 1 to 1000`. */
export function invalid(noun: string, value: unknown, remedy: string): PlaygroundError {
  return new PlaygroundError('invalid', `invalid ${noun}: ${show(value)}; ${remedy}`);
}

/** Something that must be there is not: `missing weight: blocks.0.attn.qkv.weight; ...`. */
export function missing(noun: string, value: unknown, remedy: string): PlaygroundError {
  return new PlaygroundError('missing', `missing ${noun}: ${show(value)}; ${remedy}`);
}

/** A name that nobody here knows: `unknown mode: zigzag; use full_sequence, pyramid, ...`. */
export function unknown(noun: string, value: unknown, remedy: string): PlaygroundError {
  return new PlaygroundError('unknown', `unknown ${noun}: ${show(value)}; ${remedy}`);
}

/** Known, but not possible here: `unsupported dtype: complex64 in 'x'; ...`. */
export function unsupported(noun: string, value: unknown, remedy: string): PlaygroundError {
  return new PlaygroundError('unsupported', `unsupported ${noun}: ${show(value)}; ${remedy}`);
}

/** The run was cancelled by its owner; front ends stay silent on it. */
export function aborted(what: string): PlaygroundError {
  return new PlaygroundError('aborted', `${what} was cancelled`);
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text === '' ? "''" : shown(text);
}

/**
 * Text from outside as a sentence may hold it: cut short, so that one wrong file cannot fill the page
 * with its own bytes, and on one line.
 */
export function shown(text: string): string {
  // Control characters would break the line, or steer the terminal.
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
}
