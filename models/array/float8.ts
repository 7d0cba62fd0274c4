/** The two 8-bit floats of the OCP 8-bit floating point specification (2023), as raw bits. */
import { halfToFloat } from './float16.ts';

let e4m3: Float32Array | undefined;

/** 4 bits of exponent (bias 7), 3 of fraction: up to 448, no infinity, NaN where all bits are set. Exact. */
export function float8E4m3ToFloat(bits: Uint8Array): Float32Array {
  e4m3 ??= Float32Array.from({ length: 256 }, (_, byte) => widen(byte));
  const out = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) out[i] = e4m3[bits[i]];
  return out;
}

/** 5 bits of exponent, 2 of fraction: the upper half of an IEEE half. Exact. */
export function float8E5m2ToFloat(bits: Uint8Array): Float32Array {
  return halfToFloat(Uint16Array.from(bits, (byte) => byte << 8));
}

function widen(byte: number): number {
  const sign = byte & 0x80 ? -1 : 1;
  const exponent = (byte >>> 3) & 15;
  const fraction = byte & 7;
  if (exponent === 15 && fraction === 7) return NaN;
  if (exponent === 0) return sign * fraction * 2 ** -9;
  return sign * (8 + fraction) * 2 ** (exponent - 10);
}
