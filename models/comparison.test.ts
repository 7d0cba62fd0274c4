import { describe, expect, test } from 'vitest';
import {
  decodeInput,
  deviation,
  forwardInput,
  likenessOfFrames,
  likenessOfLatents,
  rolloutInput,
} from './comparison.ts';
import { exampleManifest } from './testing/manifest.ts';

const manifest = exampleManifest();

describe('the input of a comparison', () => {
  test('is the same every time, of the shapes that the model takes, at every level of noise', () => {
    const { architecture } = manifest.denoiser!;
    const { x, timesteps, actions } = forwardInput(architecture);
    expect([x.length, [...timesteps], actions.length]).toEqual([4 * 4 * 8 * 8, [0, 333, 666, 999], 40]);
    expect(forwardInput(architecture)).toEqual({ x, timesteps, actions });
    expect(x.every((value) => Math.abs(value) < 6)).toBe(true);
  });

  test('for a rollout is the context of one window in ten steps', () => {
    const { clip, spec } = rolloutInput(manifest);
    expect([clip.length, clip.latents!.data.length]).toEqual([1, 256]);
    expect(spec).toMatchObject({ horizon: 4, keep: null, sampler: { steps: 10, mode: 'sequential' } });
  });

  test('for a codec alone is one frame of latents', () => {
    expect(decodeInput(manifest.codec!).length).toBe(4 * 8 * 8);
  });
});

describe('a comparison', () => {
  test('takes the largest difference relative to the largest value, and counts what is not finite', () => {
    const reference = Float32Array.of(1, -4, 2);
    expect(deviation(reference, Float32Array.of(1, -4, 2))).toEqual({ relative: 0, notFinite: 0 });
    expect(deviation(reference, Float32Array.of(1.5, -4, 2.25))).toEqual({ relative: 0.125, notFinite: 0 });
    expect(deviation(reference, Float32Array.of(NaN, Infinity, 3))).toEqual({ relative: 0.25, notFinite: 2 });
  });

  test('of latents is on the scale of their own range', () => {
    const reference = Float32Array.of(-1, 3);
    expect(likenessOfLatents(reference, reference)).toEqual({ psnr: null, of: 'latents', range: 4 });
    const { psnr } = likenessOfLatents(reference, Float32Array.of(-1.4, 3.4));
    expect(psnr).toBeCloseTo(20, 5);
  });

  test('of frames is the mean PSNR', () => {
    const black = new Uint8Array(2 * 16 * 16 * 3);
    const grey = black.map((_, i) => (i < black.length / 2 ? 0 : 255));
    expect(likenessOfFrames(black, black, 16, 16)).toEqual({ psnr: null, of: 'pixels', range: null });
    expect(likenessOfFrames(black, grey, 16, 16).psnr).toBeCloseTo(40, 5);
  });
});
