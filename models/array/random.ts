/**
 * Seeded random numbers that are the same bits in every engine: only integer operations and
 * + - * / sqrt, which IEEE 754 fixes. Math.log and Math.cos may differ in their last bit.
 */
import { invalid } from '../errors.ts';

const TWO_TO_MINUS_32 = 2 ** -32;
const TWO_TO_MINUS_53 = 2 ** -53;

/**
 * Uniform numbers in [0, 1), 53 random bits each, by xoshiro128** 1.1 (Blackman and Vigna 2018).
 * `seed` and `stream` are whole numbers from 0 to 2^53 - 1; streams of one seed are independent.
 */
export function seededRandom(seed: number, stream = 0): () => number {
  checkWhole('seed', seed);
  checkWhole('stream', stream);
  // The constants are digits of the golden ratio, pi, e and the square root of 5: no state is zero.
  let a = mix(low(seed) ^ 0x9e3779b9);
  let b = mix(high(seed) ^ 0x243f6a88);
  let c = mix(low(stream) ^ 0xb7e15162);
  let d = mix(high(stream) ^ 0x3c6ef372);
  const next = () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotate(d, 11);
    return result;
  };
  // Close seeds start from close states: the first numbers are thrown away.
  for (let i = 0; i < 16; i++) next();
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) * TWO_TO_MINUS_53;
}

/**
 * Standard normal numbers by the polar method (Marsaglia and Bray 1964): each call gives the next
 * `n` of the stream, so that 3 numbers and then 5 are the same as 8.
 */
export function seededNormals(seed: number, stream = 0): (n: number) => Float32Array {
  const random = seededRandom(seed, stream);
  let spare: number | null = null;
  const next = () => {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    for (;;) {
      const u = 2 * random() - 1;
      const v = 2 * random() - 1;
      const s = u * u + v * v;
      if (s >= 1 || s < TWO_TO_MINUS_32 * TWO_TO_MINUS_32) continue;
      const factor = Math.sqrt((-2 * naturalLog(s)) / s);
      spare = v * factor;
      return u * factor;
    }
  };
  return (n) => {
    const out = new Float32Array(n);
    for (let i = 0; i < n; i++) out[i] = next();
    return out;
  };
}

const SQRT_HALF = Math.sqrt(0.5);
const LN_2 = 0.6931471805599453;

/** Natural logarithm of a positive number from exact operations, within about 1e-16 relative. */
export function naturalLog(x: number): number {
  let m = x;
  let e = 0;
  while (m < SQRT_HALF) {
    m *= 2;
    e--;
  }
  while (m >= 2 * SQRT_HALF) {
    m /= 2;
    e++;
  }
  // log m = 2 atanh t with |t| < 0.172: the series to t^23 leaves less than 1e-19.
  const t = (m - 1) / (m + 1);
  const t2 = t * t;
  let series = 0;
  for (let k = 23; k >= 1; k -= 2) series = series * t2 + 1 / k;
  return e * LN_2 + 2 * t * series;
}

/** The finaliser of MurmurHash3 (Appleby): every bit of the word moves every bit of the result. */
function mix(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function low(whole: number): number {
  return (whole % 2 ** 32) | 0;
}

function high(whole: number): number {
  return Math.floor(whole * TWO_TO_MINUS_32) | 0;
}

function checkWhole(noun: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw invalid(noun, value, 'give a whole number from 0 to 9007199254740991');
  }
}
