import { describe, expect, it } from 'vitest';
import { seededRandom } from '../array/random.ts';
import { toFloat32 } from '../array/convert.ts';
import { referenceArrays, referencePath } from '../testing/reference.ts';
import { framesOfPixels, pixelsOfFrames } from './frames.ts';
import { measureFrames } from './measure.ts';
import { psnr } from './psnr.ts';
import { ssim } from './ssim.ts';

const golden = 'metrics/frames.npz';

it.skipIf(referencePath(golden) === null)("equal the reference's evaluator", () => {
  const arrays = referenceArrays(golden);
  for (const set of [0, 1, 2]) {
    const [predicted, truth] = [arrays.get(`pred_${set}`), arrays.get(`truth_${set}`)];
    const [, height, width] = truth.shape;
    const measures = measureFrames(predicted.data as Uint8Array, truth.data as Uint8Array, height, width);
    for (const name of ['mse', 'psnr', 'ssim'] as const) {
      const expected = toFloat32(arrays.get(`${name}_${set}`));
      expect(measures.length).toBe(expected.length);
      measures.forEach((measure, i) => {
        const allowed = Math.max(1e-6, 1e-5 * Math.abs(expected[i]));
        expect(Math.abs(measure[name] - expected[i]), `${name} of ${set}, ${i}`).toBeLessThan(allowed);
      });
    }
  }
});

const random = seededRandom(1);
const noise = (length: number) => Uint8Array.from({ length }, () => 256 * random());

describe('measures', () => {
  const frame = noise(3 * 16 * 20);

  it('of equal frames are 0, 80 dB and 1', () => {
    const [equal] = measureFrames(frame, frame, 16, 20);
    expect(equal.mse).toBe(0);
    expect(equal.psnr).toBeCloseTo(80, 5);
    expect(equal.ssim).toBeCloseTo(1, 12);
  });

  it('of one level of difference everywhere are 48.13 dB', () => {
    const shifted = frame.map((value) => (value < 255 ? value + 1 : value - 1));
    expect(measureFrames(shifted, frame, 16, 20)[0].psnr).toBeCloseTo(20 * Math.log10(255), 1);
  });

  it('do not depend on the order of the two frames', () => {
    const other = noise(frame.length);
    expect(ssim(frame, other, 16, 20)).toBeCloseTo(ssim(other, frame, 16, 20), 14);
    expect(ssim(frame, other, 16, 20)).toBeLessThan(0.2);
  });

  it('stop at the shorter of two clips', () => {
    const clip = noise(3 * frame.length);
    expect(measureFrames(clip, frame, 16, 20)).toHaveLength(1);
  });

  it('fall as noise grows', () => {
    const added = (amount: number) => frame.map((value) => Math.min(255, value + amount * random()));
    const values = [2, 8, 32].map((amount) => measureFrames(added(amount), frame, 16, 20)[0]);
    expect(values[0].psnr).toBeGreaterThan(values[1].psnr);
    expect(values[1].psnr).toBeGreaterThan(values[2].psnr);
    expect(values[0].ssim).toBeGreaterThan(values[1].ssim);
    expect(psnr(values[1].mse)).toBe(values[1].psnr);
  });
});

describe('frames and pixels', () => {
  it('turn into each other and back without a change, channels in front', () => {
    const frames = noise(2 * 3 * 4 * 5);
    const pixels = pixelsOfFrames(frames, 4, 5);
    expect(framesOfPixels(pixels, 4, 5)).toEqual(frames);
    expect(pixels[20]).toBe(Math.fround(frames[1] / 127.5 - 1)); // green of the first pixel
    expect(pixels.every((value) => value >= -1 && value <= 1)).toBe(true);
  });

  it('are cut to bytes at both ends, to the nearest in between', () => {
    const pixels = Float32Array.of(-3, -1, -0.9961, 0.9999, 7, NaN, 0, 0, 0, 0, 0, 0);
    expect([...framesOfPixels(pixels, 2, 2)].filter((_, i) => i % 3 === 0)).toEqual([0, 0, 0, 255]);
    expect([...framesOfPixels(pixels, 2, 2)].filter((_, i) => i % 3 === 1)).toEqual([255, 0, 128, 128]);
  });
});

describe('bad input', () => {
  it('sides below 11 and frames of different sizes are refused', () => {
    expect(() => ssim(noise(300), noise(300), 10, 10)).toThrow('invalid frame size: 10 x 10; SSIM needs');
    expect(() => ssim(noise(300), noise(363), 11, 11)).toThrow('invalid frames: 300 and 363 numbers');
    expect(() => measureFrames(noise(100), noise(363), 11, 11)).toThrow('363 make a frame');
  });
});
