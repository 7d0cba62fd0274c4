/** Reads Protocol Buffers: the counterpart of wire.ts. Views into the file, no copies. */
import { invalid } from '../errors.ts';

export interface Field {
  readonly field: number;
  /** Value of a varint field; 0 otherwise. */
  readonly integer: bigint;
  /** Content of a length-delimited or fixed-width field; empty otherwise. */
  readonly bytes: Uint8Array;
}

const EMPTY = new Uint8Array(0);
/** Bytes of the wire types of fixed width: 64-bit and 32-bit. */
const FIXED_WIDTHS: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
/** A 64-bit varint has at most this many bytes. */
const MAX_VARINT_BYTES = 10;

/** The fields of one message in the order of the file. @throws when the bytes end inside one. */
export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const tag = readVarint(bytes, offset);
    offset = tag.end;
    const field = Number(tag.value >> 3n);
    const wireType = Number(tag.value & 7n);
    if (field === 0) throw damaged(`field 0 at byte ${offset}`);
    if (wireType === 0) {
      const { value, end } = readVarint(bytes, offset);
      fields.push({ field, integer: value, bytes: EMPTY });
      offset = end;
      continue;
    }
    let length = FIXED_WIDTHS[wireType];
    if (wireType === 2) {
      const size = readVarint(bytes, offset);
      length = Number(size.value);
      offset = size.end;
    }
    if (length === undefined) throw damaged(`wire type ${wireType} at byte ${offset}`);
    // As a signed number a length can be negative: the reader would go backwards, for ever.
    if (length < 0) throw damaged(`a length of ${length} at byte ${offset}`);
    if (offset + length > bytes.length) {
      throw damaged(`it ends ${offset + length - bytes.length} bytes too early`);
    }
    fields.push({ field, integer: 0n, bytes: bytes.subarray(offset, offset + length) });
    offset += length;
  }
  return fields;
}

export function text({ bytes }: Field): string {
  return new TextDecoder().decode(bytes);
}

/** Values of a repeated integer field, which a writer may have packed into one field. */
export function integers({ integer, bytes }: Field): bigint[] {
  if (bytes.length === 0) return [integer];
  const values: bigint[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const { value, end } = readVarint(bytes, offset);
    values.push(value);
    offset = end;
  }
  return values;
}

function readVarint(bytes: Uint8Array, start: number): { value: bigint; end: number } {
  let value = 0n;
  for (let i = 0; i < MAX_VARINT_BYTES; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) throw damaged('it ends inside a number');
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value: BigInt.asIntN(64, value), end: start + i + 1 };
  }
  throw damaged(`a number of more than ${MAX_VARINT_BYTES} bytes at byte ${start}`);
}

function damaged(what: string): Error {
  return invalid('ONNX file', what, 'it is cut short or no ONNX file; get it again');
}
