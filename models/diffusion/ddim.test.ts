import { describe, expect, it } from 'vitest';
import { seededNormals } from '../array/random.ts';
import { ddimStep } from './ddim.ts';
import { cleanEstimate, combine, factorsOf, noiseEstimate } from './predictions.ts';

const normals = seededNormals(1);
const x0 = normals(64);
const eps = normals(64);
const close = { absolute: 3e-6 };

/** The noisy frame at alpha-bar, and what a perfect network would say of it. */
function at(alphaBar: number) {
  const [signal, noise] = [Math.sqrt(alphaBar), Math.sqrt(1 - alphaBar)];
  const x = combine(signal, x0, noise, eps);
  return { x, v: combine(signal, eps, -noise, x0), epsilon: eps };
}

describe('predictions', () => {
  it('of all kinds give back the clean frame and the noise', () => {
    for (const bar of [0.99, 0.5, 0.1]) {
      const { x, v, epsilon } = at(bar);
      const factors = factorsOf(bar);
      expect(cleanEstimate('v', factors, x, v)).toBeCloseTensor(x0, close);
      expect(cleanEstimate('epsilon', factors, x, epsilon)).toBeCloseTensor(x0, close);
      expect(cleanEstimate('x', factors, x, x0)).toBeCloseTensor(x0, close);
      expect(noiseEstimate(factors, x, x0)).toBeCloseTensor(eps, { absolute: 3e-5 });
    }
  });

  it('stay finite where nothing of the signal is left', () => {
    const factors = factorsOf(0);
    const { x, v } = at(0);
    expect(factors).toEqual({
      signal: 0,
      noise: 1,
      inverse: 10000,
      inverseNoise: Math.fround(Math.sqrt(1e8 - 1)),
    });
    expect(cleanEstimate('v', factors, x, v)).toBeCloseTensor(x0, close);
    expect(noiseEstimate(factors, x, x0)).toBeCloseTensor(eps, { absolute: 1e-3 });
  });

  it('of an unknown kind are refused', () => {
    expect(() => cleanEstimate('score' as 'v', factorsOf(0.5), x0, x0)).toThrow('unknown prediction: score');
  });
});

describe('a DDIM step', () => {
  const step = (alphaBar: number, nextAlphaBar: number, eta: number, noise: Float32Array | null = null) => {
    const settings = { factors: factorsOf(alphaBar), alphaBar, nextAlphaBar, eta };
    return ddimStep(settings, at(alphaBar).x, x0, noise);
  };

  it('moves along the same noise to any lower level when eta is 0', () => {
    for (const [from, to] of [
      [0.1, 0.5],
      [0.1, 0.9],
      [0.5, 0.99],
    ]) {
      expect(step(from, to, 0)).toBeCloseTensor(at(to).x, { absolute: 1e-5 });
    }
  });

  it('ends on the clean frame, whatever eta and noise are', () => {
    expect(step(0.3, 1, 0)).toEqual(x0);
    expect(
      step(
        0.3,
        1,
        1,
        eps.map(() => 100),
      ),
    ).toEqual(x0);
  });

  it('replaces part of the noise by fresh noise, keeping its variance', () => {
    const long = seededNormals(3);
    const [a, fresh] = [long(100_000), long(100_000)];
    const zero = new Float32Array(a.length);
    const settings = { factors: factorsOf(0.2), alphaBar: 0.2, nextAlphaBar: 0.6, eta: 1 };
    const next = ddimStep(settings, combine(Math.sqrt(0.8), a, 0, a), zero, fresh);
    const variance = next.reduce((sum, value) => sum + value * value, 0) / a.length;
    expect(Math.abs(variance - 0.4)).toBeLessThan(0.01);
    const kept = next.reduce((sum, value, i) => sum + value * a[i], 0) / a.length;
    // the share of the old noise: sqrt(1 - ab' - sigma^2), sigma^2 = 0.5 (1 - 1/3)
    expect(Math.abs(kept - Math.sqrt(0.4 - (0.4 / 0.8) * (1 - 0.2 / 0.6)))).toBeLessThan(0.01);
  });

  it('from the level without signal with eta 1 is not NaN', () => {
    expect(step(0, 0.3, 1, eps).every(Number.isFinite)).toBe(true);
    expect(step(0, 1e-6, 1, eps).every(Number.isFinite)).toBe(true);
  });
});
