import { expect, it } from 'vitest';
import { float8E4m3ToFloat, float8E5m2ToFloat } from './float8.ts';

/** Values of the specification's table of both formats: zero, subnormal, normal, largest, special. */
it('reads e4m3fn: no infinity, 448 the largest', () => {
  const bits = Uint8Array.of(0x00, 0x80, 0x01, 0x07, 0x08, 0x38, 0xbc, 0x7e, 0x7f, 0xff);
  const expected = [0, -0, 2 ** -9, 7 * 2 ** -9, 2 ** -6, 1, -1.5, 448, NaN, NaN];
  expect([...float8E4m3ToFloat(bits)]).toEqual(expected);
});

it('reads e5m2: 57344 the largest, then infinity', () => {
  const bits = Uint8Array.of(0x00, 0x80, 0x01, 0x03, 0x04, 0x3c, 0xbe, 0x7b, 0x7c, 0xfc, 0x7f);
  const expected = [0, -0, 2 ** -16, 3 * 2 ** -16, 2 ** -14, 1, -1.5, 57344, Infinity, -Infinity, NaN];
  expect([...float8E5m2ToFloat(bits)]).toEqual(expected);
});
