import { describe, expect, test } from 'vitest';
import { float, integer, join, message, text, varint } from './wire.ts';
import { integers, readFields, text as readText } from './wire-reader.ts';

describe('protobuf wire format', () => {
  // Examples of the specification (protobuf.dev, "Encoding").
  test('writes the numbers of the specification', () => {
    expect([...varint(1)]).toEqual([0x01]);
    expect([...varint(150)]).toEqual([0x96, 0x01]);
    expect([...varint(-2)]).toEqual([0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
  });

  test('writes the messages of the specification', () => {
    expect([...join(integer(1, 150))]).toEqual([0x08, 0x96, 0x01]);
    expect([...join(text(2, 'testing'))]).toEqual([0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
    expect([...join(message(3, integer(1, 150)))]).toEqual([0x1a, 0x03, 0x08, 0x96, 0x01]);
    expect([...join(float(2, 1))]).toEqual([0x15, 0x00, 0x00, 0x80, 0x3f]);
  });

  test('reads back what it wrote', () => {
    const values = [0, 1, 127, 128, 2 ** 31, Number.MAX_SAFE_INTEGER, -1, -(2 ** 40)];
    const fields = readFields(join([...values.flatMap((value) => integer(7, value)), ...text(9, 'Grüße')]));
    expect(fields.slice(0, -1).map((field) => Number(field.integer))).toEqual(values);
    expect(readText(fields.at(-1)!)).toBe('Grüße');
  });

  test('reads repeated numbers packed into one field, as other writers do', () => {
    const [packed] = readFields(Uint8Array.of(0x0a, 0x03, 0x05, 0x96, 0x01));
    expect(integers(packed!)).toEqual([5n, 150n]);
  });

  test.each([
    ['inside a number', [0x08, 0x96], /ends inside a number/],
    ['inside a text', [0x12, 0x07, 0x74], /6 bytes too early/],
    ['in a wire type that nobody uses', [0x0b], /wire type 3/],
    ['in a number without an end', [0x08, ...new Array<number>(11).fill(0xff)], /more than 10 bytes/],
    ['in a length below zero', [0x12, ...varint(-3), 0], /a length of -3/],
    ['in zeros', [0, 0, 0], /field 0/],
  ])('says in one sentence that a file ends %s', (_, bytes, sentence) => {
    expect(() => readFields(Uint8Array.from(bytes))).toThrow(sentence);
    expect(() => readFields(Uint8Array.from(bytes))).toThrow(/^invalid ONNX file: [^\n]*; it is cut short/);
  });
});
