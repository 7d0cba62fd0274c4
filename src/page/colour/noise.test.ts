import { describe, expect, it } from 'vitest';
import { distance, toLab } from './lab.ts';
import { levelColour, noiseColour } from './noise.ts';
import { asSeenBy } from './vision.ts';
import type { Deficiency } from './vision.ts';

const SHARES = Array.from({ length: 65 }, (_, i) => i / 64);
const rises = (values: number[]) => values.every((value, i) => i === 0 || value > values[i - 1]!);

describe('the noise scale', () => {
  it('runs from dark violet at pure noise to pale yellow at clean', () => {
    const [dark, pale] = [toLab(noiseColour(0)), toLab(noiseColour(1))];
    expect(dark[0]).toBeLessThan(20);
    expect(dark[1]).toBeGreaterThan(15);
    expect(dark[2]).toBeLessThan(-15);
    expect(pale[0]).toBeGreaterThan(90);
    expect(pale[2]).toBeGreaterThan(20);
  });

  it('rises in lightness by the same amount everywhere', () => {
    const lightness = SHARES.map((share) => toLab(noiseColour(share))[0]);
    const steps = lightness.slice(1).map((value, i) => value - lightness[i]!);
    // A byte a channel is about 0.3 of lightness.
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(0.8);
  });

  it('has steps of colour that differ by no more than a factor of two and a half', () => {
    const colours = Array.from({ length: 17 }, (_, i) => noiseColour(i / 16));
    const steps = colours.slice(1).map((colour, i) => distance(colours[i]!, colour));
    expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(2.5);
  });

  it.each<Deficiency>(['protan', 'deutan', 'tritan'])('still rises in lightness for %s eyes', (eyes) => {
    expect(rises(SHARES.map((share) => toLab(asSeenBy(eyes, noiseColour(share)))[0]))).toBe(true);
  });

  it('clamps what lies outside', () => {
    expect(noiseColour(-1)).toEqual(noiseColour(0));
    expect(noiseColour(2)).toEqual(noiseColour(1));
  });

  it('puts level 0 at the clean end and the last level at the noise end', () => {
    expect(levelColour(0, 8)).toEqual(noiseColour(1));
    expect(levelColour(8, 8)).toEqual(noiseColour(0));
  });
});
