/** JSON from outside: parse errors become one sentence that names the document. */
import { invalid } from '../errors.ts';

/** The value in `text`; `label` (say, the file's name) stands in the error. */
export function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/\s+/g, ' ');
    throw invalid('JSON', label, `${reason}; correct the file`);
  }
}

/**
 * The first key that an object of `text` names twice, or null: JSON.parse keeps the last in silence.
 * `text` must be JSON.
 */
export function repeatedKey(text: string): string | null {
  /** Keys seen so far in each open object; null for an open list. */
  const open: (Set<string> | null)[] = [];
  let last = '';
  // No regular expression: on a string of megabytes its stack overflows.
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{') open.push(new Set());
    else if (sign === '[') open.push(null);
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === '"') {
      const end = endOfString(text, at);
      last = text.slice(at, end);
      at = end - 1;
    } else if (sign === ':') {
      const keys = open.at(-1);
      const key = JSON.parse(last) as string;
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return null;
}

/** Behind the closing mark of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
}
