/** What the runtime throws (some of it bare numbers), as one sentence. */
import { PlaygroundError, unsupported } from '../../models/errors.ts';

const CODES = ['invalid', 'missing', 'unknown', 'unsupported', 'aborted'];

/**
 * The error to throw on. Our own errors pass as they are; what the runtime threw becomes one sentence.
 *
 * @param what the thing that failed, for example `graph window.onnx on WebGPU`
 */
export function inWords(error: unknown, what: string, remedy: string): Error {
  if (isOurs(error)) return error;
  const text = firstLine(error);
  if (/bad_alloc|out of memory|allocat|array buffer/i.test(text)) {
    return unsupported(what, text, 'there is not enough memory: close other tabs or choose a smaller model');
  }
  return unsupported(what, text, remedy);
}

/** One line that names what was thrown. */
export function firstLine(error: unknown): string {
  // A number is an address in the runtime's own memory: nothing in it tells a reader more.
  if (typeof error === 'number') return `the runtime stopped with its error ${String(error)}`;
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]!.trim() || 'the runtime gave no reason';
}

function isOurs(error: unknown): error is Error {
  return error instanceof PlaygroundError || (error instanceof Error && CODES.includes(error.name));
}
