import { describe, expect, it } from 'vitest';
import type { Run } from '../stores/runs.ts';
import { format, measuredFrames, seriesOf, toCsv } from './series.ts';
import { spread } from './spread.ts';

const frames = { data: new Uint8Array(), count: 4, height: 64, width: 64 };
const RUN: Run = {
  id: 'a',
  order: 0,
  settings: {
    bundle: 'maze',
    clip: 'maze-01',
    horizon: 4,
    mode: 'pyramid',
    lag: 4,
    steps: 8,
    stabilisation: 0.02,
    eta: 0,
    seed: 42,
    backend: 'auto',
  },
  frames,
  context: 1,
  reconstruction: frames,
  measures: {
    pixels: { psnr: [null, 40.5, 39.25, 38], ssim: [null, 0.99, 0.98, 0.97] },
    reconstruction: { psnr: [null, 43.5, 42, 41], ssim: [null, 0.999, 0.998, 0.997] },
  },
  seconds: 1.2,
  networkCalls: 10,
  frameEvaluations: 40,
  device: 'WASM',
  recordedOn: null,
  beliefs: [],
};

describe('series', () => {
  it('take the measure and the truth that are asked for', () => {
    const [series] = seriesOf([RUN], 'a', { measure: 'psnr', against: 'reconstruction' }, 'light');
    expect(series).toMatchObject({ name: '1 pyramid, 8 steps', shown: true, values: [null, 43.5, 42, 41] });
    expect(measuredFrames([series!])).toEqual([1, 2, 3]);
  });

  it('write every measure of every frame into the CSV, in full', () => {
    const lines = toCsv([RUN, { ...RUN, id: 'b', order: -1 }])
      .trim()
      .split('\n');
    expect(lines).toHaveLength(1 + 2 * 2 * 3);
    expect(lines[1]).toBe('1,maze-01,pyramid,,8,0.02,0,42,1,pixels,40.5,0.99');
    expect(lines.at(-1)).toBe('recorded,maze-01,pyramid,,8,0.02,0,42,3,reconstruction,41,0.997');
  });

  it('show as many decimals as mean something', () => {
    expect(format(38.12345, 'psnr')).toBe('38.12');
    expect(format(0.998765, 'ssim')).toBe('0.9988');
    expect(format(null, 'psnr')).toBe('');
  });
});

describe('spread', () => {
  it('leaves places alone that have room', () => {
    expect(spread([10, 50, 30], 16)).toEqual([10, 50, 30]);
  });

  it('moves crowded places apart around their middle, keeping their order', () => {
    expect(spread([20, 20], 16)).toEqual([12, 28]);
    const crowded = spread([10, 12, 11, 60], 16);
    const sorted = [...crowded].sort((a, b) => a - b);
    sorted.slice(1).forEach((place, i) => expect(place - sorted[i]!).toBeGreaterThanOrEqual(16 - 1e-9));
    expect(crowded[0]!).toBeLessThan(crowded[2]!);
    expect(crowded[2]!).toBeLessThan(crowded[1]!);
  });
});
