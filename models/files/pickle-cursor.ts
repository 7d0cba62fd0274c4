/** Reads a pickle byte by byte from a source, a window at a time: only what the pickle needs is read. */
import { invalid } from '../errors.ts';
import { checkRange } from './source.ts';
import type { ByteSource } from './source.ts';

export interface Cursor {
  readonly label: string;
  /** Bytes from the start of the source. */
  position(): number;
  /** @throws one sentence at the end of the source, as `take` and `line` do. */
  byte(): number;
  /** The next `length` bytes; a view, so do not write into it. */
  take(length: number): Uint8Array;
  /** The bytes up to the next line feed, as text of one byte a character; the feed is passed over. */
  line(): string;
}

const WINDOW = 2 ** 16;
/** Names and numbers of protocol 0 stand in lines; longer ones were not written by a pickler. */
const LONGEST_LINE = 2 ** 16;

export function cursorOver(source: ByteSource, start = 0): Cursor {
  const { label } = source;
  let window: Uint8Array = new Uint8Array();
  let windowStart = 0;
  let at = start;
  /** Makes `length` bytes from `at` lie in the window. */
  const need = (length: number) => {
    if (at >= windowStart && at + length <= windowStart + window.length) return;
    checkRange(at, length, source.size, label);
    window = source.read(at, Math.max(length, Math.min(WINDOW, source.size - at)));
    windowStart = at;
  };
  const byte = () => {
    need(1);
    return window[at++ - windowStart];
  };
  return {
    label,
    position: () => at,
    byte,
    take: (length) => {
      need(length);
      const from = at - windowStart;
      at += length;
      return window.subarray(from, from + length);
    },
    line: () => {
      let text = '';
      for (;;) {
        const code = byte();
        if (code === 10) return text;
        text += String.fromCharCode(code);
        if (text.length > LONGEST_LINE) throw invalid('pickle', label, 'a line in it has no end');
      }
    },
  };
}
