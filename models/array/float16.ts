/** IEEE half precision and bfloat16 as raw bits, because Node 20 has no Float16Array. */

/** Largest finite number of IEEE half precision. */
export const HALF_MAX = 65504;

let halves: Float32Array | undefined;

/** Values of `data` as half precision bits, rounded to nearest, ties to even; overflow is infinity. */
export function floatToHalf(data: Float32Array): Uint16Array {
  const out = new Uint16Array(data.length);
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length);
  for (let i = 0; i < words.length; i++) {
    const bits = words[i];
    const size = bits & 0x7fffffff;
    // Nearly every weight is normal in both formats. Adding just under half of the last kept digit, and
    // that digit itself, rounds to nearest with ties to even; a carry reaches the exponent, up to infinity.
    out[i] =
      size >= SMALLEST_NORMAL && size < TOO_LARGE
        ? ((bits >>> 16) & 0x8000) | ((size - REBIAS + 0xfff + ((size >>> 13) & 1)) >>> 13)
        : roundToHalf(bits);
  }
  return out;
}

/** Half precision bits as float32; exact, since every half is a float32. */
export function halfToFloat(bits: Uint16Array): Float32Array {
  halves ??= Float32Array.from({ length: 65536 }, (_, half) => widen(half));
  const out = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) out[i] = halves[bits[i]];
  return out;
}

/** bfloat16 bits as float32; exact, a bfloat16 is the upper half of a float32. */
export function bfloat16ToFloat(bits: Uint16Array): Float32Array {
  const out = new Uint32Array(bits.length);
  for (let i = 0; i < bits.length; i++) out[i] = bits[i] << 16;
  return new Float32Array(out.buffer);
}

/** Bits of the float32 2^-14 and 2^16: between them a half is normal, or rounds to infinity. */
const SMALLEST_NORMAL = 0x38800000;
const TOO_LARGE = 0x47800000;
/** Exponent bias of float32 less that of half precision, in its place: (127 - 15) << 23. */
const REBIAS = 0x38000000;

/** Bits of a float32 to bits of the nearest half (IEEE 754-2008, roundTiesToEven). */
function roundToHalf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction ? 0x200 : 0);
  const scaled = exponent - 127 + 15;
  if (scaled >= 31) return sign | 0x7c00;
  // Below the normal range the significand, hidden bit included, moves right into a subnormal.
  const drop = scaled > 0 ? 13 : 14 - scaled;
  if (drop > 24) return sign;
  const significand = scaled > 0 ? (scaled << 23) | fraction : fraction | 0x800000;
  const kept = significand >>> drop;
  const rest = significand & ((1 << drop) - 1);
  const half = 1 << (drop - 1);
  // A carry out of the fraction raises the exponent, up to infinity: that is what rounding asks for.
  const up = rest > half || (rest === half && (kept & 1) === 1);
  return sign | (kept + (up ? 1 : 0));
}

function widen(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 0x3ff;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
