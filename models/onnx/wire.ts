/**
 * Protocol Buffers on the wire (protobuf.dev, "Encoding"): only what ONNX files need.
 * A message is a list of chunks, joined once at the very end, so that weights are copied once.
 */
export type Chunks = readonly Uint8Array[];

const utf8 = new TextEncoder();

/** Wire types of the specification; 1 (64-bit) never occurs in what we write. */
const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** Base-128, least significant group first; negative numbers as 64-bit two's complement (ten bytes). */
export function varint(value: number | bigint): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    const group = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? group | 0x80 : group);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

function tag(field: number, wireType: number): Uint8Array {
  return varint(field * 8 + wireType);
}

/** An int32, int64, enum or bool field. */
export function integer(field: number, value: number | bigint): Chunks {
  return [tag(field, VARINT), varint(value)];
}

/** A float field. */
export function float(field: number, value: number): Chunks {
  const four = new Uint8Array(4);
  new DataView(four.buffer).setFloat32(0, value, true);
  return [tag(field, FIXED32), four];
}

/** A bytes field; `value` is not copied. */
export function bytes(field: number, value: Uint8Array): Chunks {
  return [tag(field, LENGTH_DELIMITED), varint(value.length), value];
}

/** A string field. */
export function text(field: number, value: string): Chunks {
  return bytes(field, utf8.encode(value));
}

/** A nested message, given by its fields in order. */
export function message(field: number, ...fields: Chunks[]): Chunks {
  const inner = fields.flat();
  return [tag(field, LENGTH_DELIMITED), varint(byteLength(inner)), ...inner];
}

export function byteLength(chunks: Chunks): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0);
}

export function join(chunks: Chunks): Uint8Array {
  const whole = new Uint8Array(byteLength(chunks));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
