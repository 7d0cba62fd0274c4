/** The numbers and strings of a pickle: opcodes that carry their value with them. */
import type { Cursor } from './pickle-cursor.ts';
import type { PickleStack } from './pickle-stack.ts';
import { wholeNumber } from './pickle-values.ts';

/** Bytes of the longest integer; Python writes any, a checkpoint none beyond a random state. */
const LONGEST_INTEGER = 1024;
/** `NO` where an opcode is none of these. */
export const NO = Symbol('no literal');

export function readLiteral(opcode: number, cursor: Cursor, stack: PickleStack): unknown {
  switch (opcode) {
    case 0x4e: // NONE
      return null;
    case 0x88: // NEWTRUE
      return true;
    case 0x89: // NEWFALSE
      return false;
    case 0x4b: // BININT1
      return cursor.byte();
    case 0x4d: // BININT2
      return viewOf(cursor, 2).getUint16(0, true);
    case 0x4a: // BININT
      return viewOf(cursor, 4).getInt32(0, true);
    case 0x47: // BINFLOAT
      return viewOf(cursor, 8).getFloat64(0);
    case 0x8a: // LONG1
      return integerOf(take(cursor, stack, cursor.byte()));
    case 0x8b: // LONG4
      return integerOf(takeInteger(cursor, stack));
    case 0x49: // INT; booleans are the texts 00 and 01
      return intOf(cursor.line(), stack);
    case 0x4c: // LONG
      return decimalOf(cursor.line().replace(/L$/, ''), stack);
    case 0x46: // FLOAT
      return floatOf(cursor.line(), stack);
    case 0x53: // STRING
      return textOrBytes(escapedBytes(quoted(cursor.line(), stack)));
    case 0x54: // BINSTRING
      return textOrBytes(take(cursor, stack, length4(cursor)));
    case 0x55: // SHORT_BINSTRING
      return textOrBytes(take(cursor, stack, cursor.byte()));
    case 0x56: // UNICODE
      return escapedText(cursor.line());
    case 0x58: // BINUNICODE
      return textOf(take(cursor, stack, length4(cursor)));
    case 0x8c: // SHORT_BINUNICODE
      return textOf(take(cursor, stack, cursor.byte()));
    case 0x8d: // BINUNICODE8
      return textOf(take(cursor, stack, length8(cursor)));
    case 0x42: // BINBYTES
      return take(cursor, stack, length4(cursor)).slice();
    case 0x43: // SHORT_BINBYTES
      return take(cursor, stack, cursor.byte()).slice();
    case 0x8e: // BINBYTES8
    case 0x96: // BYTEARRAY8
      return take(cursor, stack, length8(cursor)).slice();
    default:
      return NO;
  }
}

/** An unsigned number of 4 bytes: lengths and places in the memo. */
export function length4(cursor: Cursor): number {
  return viewOf(cursor, 4).getUint32(0, true);
}

export function length8(cursor: Cursor): number {
  return Number(viewOf(cursor, 8).getBigUint64(0, true));
}

function take(cursor: Cursor, stack: PickleStack, length: number): Uint8Array {
  stack.countBytes(length);
  return cursor.take(length);
}

function takeInteger(cursor: Cursor, stack: PickleStack): Uint8Array {
  const length = length4(cursor);
  if (length > LONGEST_INTEGER) throw stack.tooLarge('long a number');
  return cursor.take(length);
}

/** Two's complement, little-endian. */
function integerOf(bytes: Uint8Array): number | bigint {
  if (bytes.length === 0) return 0;
  let hex = '';
  for (let i = bytes.length - 1; i >= 0; i--) hex += bytes[i].toString(16).padStart(2, '0');
  return wholeNumber(BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`)));
}

function intOf(text: string, stack: PickleStack): unknown {
  if (text === '00' || text === '01') return text === '01';
  return decimalOf(text, stack);
}

function decimalOf(text: string, stack: PickleStack): number | bigint {
  if (text.length > LONGEST_INTEGER || !/^[-+]?\d+$/.test(text)) {
    throw stack.damaged('a number in it cannot be read');
  }
  return wholeNumber(BigInt(text.replace('+', '')));
}

function floatOf(text: string, stack: PickleStack): number {
  const named = /^([-+]?)(nan|inf)$/.exec(text);
  if (named) return named[2] === 'nan' ? NaN : named[1] === '-' ? -Infinity : Infinity;
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isNaN(value)) throw stack.damaged('a number in it cannot be read');
  return value;
}

function quoted(line: string, stack: PickleStack): string {
  const inner = /^(?:'(.*)'|"(.*)")$/s.exec(line);
  if (!inner) throw stack.damaged('a string in it has no quotes');
  return inner[1] ?? inner[2];
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, '\\': 92, "'": 39, '"': 34 };

/** Python 2's repr of a string, without the quotes. */
function escapedBytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '\\') bytes.push(text.charCodeAt(i));
    else if (text[++i] === 'x') {
      bytes.push(Number.parseInt(text.slice(i + 1, i + 3), 16));
      i += 2;
    } else bytes.push(ESCAPES[text[i]] ?? 92);
  }
  return Uint8Array.from(bytes);
}

/** Python's raw-unicode-escape: only \u and \U mean something. */
function escapedText(text: string): string {
  const escape = /\\u([\da-fA-F]{4})|\\U00(0[\da-fA-F]{5}|10[\da-fA-F]{4})/g;
  return text.replace(escape, (_, short?: string, long?: string) =>
    String.fromCodePoint(Number.parseInt((short ?? long)!, 16)),
  );
}

/** A string of Python 2 may be text or data: it is text where it is ASCII. */
function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  return bytes.every((byte) => byte < 128) ? textOf(bytes) : bytes.slice();
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function viewOf(cursor: Cursor, length: number): DataView {
  const bytes = cursor.take(length);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}
