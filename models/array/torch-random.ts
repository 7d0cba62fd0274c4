/**
 * PyTorch's CPU `randn` bit for bit (facts/noise.md): the vectorised path for 16 numbers and more,
 * the scalar path for fewer. `f` rounds to float32; fused multiply-adds are computed in doubles
 * and rounded once.
 */
import { mersenneWords } from './mersenne.ts';
import { invalid } from '../errors.ts';

const f = Math.fround;
const fma = (a: number, b: number, c: number) => f(a * b + c);

/**
 * `randn` after `manual_seed(seed)`: each call gives the next tensor of `n` numbers, as PyTorch's
 * calls with contiguous tensors of n elements do. The length of each call matters.
 */
export function torchNormals(seed: number | bigint): (n: number) => Float32Array {
  if (typeof seed === 'number' && !Number.isSafeInteger(seed)) {
    throw invalid('seed', seed, 'give a whole number');
  }
  const word = mersenneWords(BigInt(seed));
  const scalar = scalarNormals(word);
  const uniform24 = () => (word() & 0xffffff) / 2 ** 24;
  return (n) => {
    if (n < 16) return Float32Array.from({ length: n }, scalar);
    const out = new Float32Array(n);
    for (let i = 0; i < n; i++) out[i] = uniform24();
    for (let at = 0; at + 16 <= n; at += 16) fill16(out.subarray(at, at + 16));
    if (n % 16 !== 0) {
      const last = out.subarray(n - 16);
      for (let i = 0; i < 16; i++) last[i] = uniform24();
      fill16(last);
    }
    return out;
  };
}

/** Box-Muller in doubles; the second of a pair waits for the next short call. */
function scalarNormals(word: () => number): () => number {
  const uniform53 = () => {
    const high = word() & 0x1fffff;
    return (high * 2 ** 32 + word()) / 2 ** 53;
  };
  let cached: number | undefined;
  return () => {
    if (cached !== undefined) {
      const value = cached;
      cached = undefined;
      return value;
    }
    const angle = 2 * Math.PI * uniform53();
    const radius = Math.sqrt(-2 * Math.log1p(-uniform53()));
    cached = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** Box-Muller on 16 uniform numbers, in place: 8 radii, 8 angles. */
function fill16(d: Float32Array): void {
  for (let j = 0; j < 8; j++) {
    const radius = f(Math.sqrt(f(-2 * log(f(1 - d[j])))));
    const [sin, cos] = sinCos(f(f(2 * Math.PI) * d[j + 8]));
    d[j] = radius * cos;
    d[j + 8] = radius * sin;
  }
}

// Coefficients of the Cephes single-precision functions, as their AVX2 versions have them.
const LOG = [
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
  2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
].map(f);
const LN2_LOW = f(-2.1219444e-4);
const LN2_HIGH = f(0.693359375);
const SQRT_HALF = f(0.70710678118654752);
const QUARTER_PI = [-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8].map(f);
const FOUR_OVER_PI = f(1.27323954473516);
const COS = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2].map(f);
const SIN = [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1].map(f);

/** Natural logarithm of a positive float32, as the vectorised code rounds it. */
function log(x: number): number {
  let e = Math.ceil(Math.log2(x)); // corrected below where the logarithm is off
  let m = x * 2 ** -e;
  if (m >= 1) [m, e] = [m / 2, e + 1];
  if (m < 0.5) [m, e] = [m * 2, e - 1];
  if (m < SQRT_HALF) {
    e -= 1;
    m = f(f(m - 1) + m);
  } else {
    m = f(m - 1);
  }
  const z = f(m * m);
  let y = LOG[0];
  for (let i = 1; i < LOG.length; i++) y = fma(y, m, LOG[i]);
  y = f(y * m);
  y = fma(y, z, f(e * LN2_LOW));
  y = fma(-0.5, z, y);
  return fma(e, LN2_HIGH, f(m + y));
}

/** [sine, cosine] of an angle in [0, 2 pi], as the vectorised code rounds them. */
function sinCos(angle: number): [number, number] {
  const q = (Math.trunc(f(angle * FOUR_OVER_PI)) + 1) & ~1;
  let x = angle;
  for (const part of QUARTER_PI) x = fma(q, part, x);
  const z = f(x * x);
  let c = fma(COS[0], z, COS[1]);
  c = f(fma(c, z, COS[2]) * z);
  c = f(fma(c, z, -f(0.5 * z)) + 1);
  let s = fma(SIN[0], z, SIN[1]);
  s = f(fma(s, z, SIN[2]) * z);
  s = fma(s, x, x);
  const [sin, cos] = q & 2 ? [c, s] : [s, c];
  return [q & 4 ? -sin : sin, (q - 2) & 4 ? cos : -cos];
}
