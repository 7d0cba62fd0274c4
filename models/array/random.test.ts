import { describe, expect, it } from 'vitest';
import { naturalLog, seededNormals, seededRandom } from './random.ts';

describe('uniform numbers', () => {
  it('fill [0, 1) evenly: a chi-square test over 256 cells', () => {
    const random = seededRandom(1);
    const counts = new Float64Array(256);
    for (let i = 0; i < 256_000; i++) counts[Math.floor(random() * 256)]++;
    const chi = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // 255 degrees of freedom: 6 standard deviations of 22.6 to either side
    expect(chi).toBeGreaterThan(255 - 6 * 22.6);
    expect(chi).toBeLessThan(255 + 6 * 22.6);
  });

  it('use all 53 bits', () => {
    const random = seededRandom(2);
    const low = Array.from({ length: 1000 }, () => (random() * 2 ** 53) % 2);
    expect(low.every(Number.isInteger)).toBe(true);
    expect(Math.abs(low.reduce((a, b) => a + b) - 500)).toBeLessThan(100);
  });

  it('do not follow each other, over steps, neighbouring seeds and streams', () => {
    const n = 100_000;
    const draw = (random: () => number) => Float64Array.from({ length: n }, () => random() - 0.5);
    const [a, b, c] = [seededRandom(7), seededRandom(8), seededRandom(7, 1)].map(draw);
    const correlation = (x: Float64Array, y: Float64Array) =>
      (12 / n) * y.reduce((sum, value, i) => sum + value * x[i], 0);
    for (const r of [correlation(a, b), correlation(a, c), correlation(a, a.slice(1))]) {
      expect(Math.abs(r)).toBeLessThan(5 / Math.sqrt(n));
    }
  });
});

describe('normal numbers', () => {
  const n = 1_000_000;
  const sample = seededNormals(42)(n);
  const moment = (k: number) => sample.reduce((sum, z) => sum + z ** k, 0) / n;

  it('have the first six moments of a standard normal distribution', () => {
    // variance of the k-th sample moment: (m_2k - m_k^2) / n, for k up to 6: m_12 = 10395
    for (const [k, expected, variance] of [
      [1, 0, 1],
      [2, 1, 2],
      [3, 0, 15],
      [4, 3, 96],
      [5, 0, 945],
      [6, 15, 10395 - 225],
    ]) {
      expect(Math.abs(moment(k) - expected), `moment ${k}`).toBeLessThan(5 * Math.sqrt(variance / n));
    }
  });

  it('lie beyond 1 to 4 deviations as often as they should, on both sides', () => {
    // P(Z > z) for z = 1, 2, 3, 4 (tables of the normal distribution)
    const tails = [0.15865525, 0.022750132, 0.001349898, 0.0000316712];
    tails.forEach((p, i) => {
      const above = sample.filter((z) => z > i + 1).length;
      const below = sample.filter((z) => z < -i - 1).length;
      const allowed = 5 * Math.sqrt(n * p);
      expect(Math.abs(above - n * p), `above ${i + 1}`).toBeLessThan(allowed);
      expect(Math.abs(below - n * p), `below ${i + 1}`).toBeLessThan(allowed);
    });
  });

  it('are one stream, however it is cut into calls', () => {
    const cut = seededNormals(9);
    expect([...cut(3), ...cut(5), ...cut(0), ...cut(1)]).toEqual([...seededNormals(9)(9)]);
  });

  it('come from a logarithm that is right to the last bits', () => {
    const random = seededRandom(3);
    for (let i = 0; i < 10_000; i++) {
      const x = random() * 10 ** (-12 * random());
      expect(Math.abs(naturalLog(x) - Math.log(x))).toBeLessThanOrEqual(
        4e-16 * Math.max(1, Math.abs(Math.log(x))),
      );
    }
  });
});

it('never changes: shared links and recorded runs count on these numbers', () => {
  // from an independent implementation of the same recipe, in Python
  const random = seededRandom(2 ** 40 + 3, 7);
  expect([random(), random(), random()]).toEqual([
    0.33896032803345144, 0.5196415299826624, 0.5262079156504902,
  ]);
  expect([...seededNormals(2 ** 40 + 3, 7)(5)]).toEqual([
    -2.106253147125244, 0.25689342617988586, 0.13485977053642273, -1.477662205696106, -0.251643568277359,
  ]);
});

it('refuses seeds and streams that are not whole numbers from 0 to 2^53 - 1', () => {
  for (const seed of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
    expect(() => seededRandom(seed)).toThrow('invalid seed');
    expect(() => seededNormals(0, seed)).toThrow('invalid stream');
  }
});
