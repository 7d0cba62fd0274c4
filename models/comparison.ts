/** How far a model stored with fewer bits is from the same model in float32, on a fixed input. */
import { seededNormals } from './array/random.ts';
import { requireDenoiser } from './bundle/manifest.ts';
import type { Architecture, Codec, Manifest } from './bundle/manifest.ts';
import type { Clip } from './clip.ts';
import { measureFrames } from './metrics/measure.ts';
import { parseSpec } from './run.ts';
import type { RunSpec } from './run.ts';

/** Any number; the same for every comparison. */
const SEED = 2605;
/** Denoising steps of the rollout that is compared. */
export const STEPS = 10;

/** One call of the `window` graph for one clip. */
export interface ForwardInput {
  /** [F, C, H, W], standard normal: what a latent is at the noisiest level. */
  readonly x: Float32Array;
  /** [F], from clean to the noisiest. */
  readonly timesteps: Float32Array;
  /** [F, A], standard normal: as normalised actions are. */
  readonly actions: Float32Array;
}

export function forwardInput(architecture: Architecture): ForwardInput {
  const { frames, channels, latentHeight, latentWidth, actionWidth } = architecture;
  return {
    x: seededNormals(SEED, 0)(frames * channels * latentHeight * latentWidth),
    timesteps: Float32Array.from({ length: frames }, (_, f) => Math.round((999 * f) / (frames - 1))),
    actions: seededNormals(SEED, 1)(frames * actionWidth),
  };
}

/** A clip of seeded latents and actions, and a run of one window on it. */
export function rolloutInput(manifest: Manifest): { clip: Clip; spec: RunSpec } {
  const { denoiser, display } = requireDenoiser(manifest);
  const { x, actions } = forwardInput(denoiser.architecture);
  const { frames, channels, latentHeight: height, latentWidth: width, actionWidth } = denoiser.architecture;
  const length = denoiser.context;
  const data = x.subarray(0, length * channels * height * width);
  const clip: Clip = {
    length,
    pixels: null,
    latents: { data, channels, height, width },
    actions: { data: actions, rows: frames, width: actionWidth, scale: 'network' },
    states: null,
    ...display,
    source: 'seeded noise',
  };
  return { clip, spec: parseSpec({ seed: SEED, sampler: { steps: STEPS, mode: 'sequential' } }, manifest) };
}

/** Unscaled latents of one frame, [C, h, w], for the `decode` graph of a codec alone. */
export function decodeInput({ channels, imageSize: [height, width], downsampling, scalingFactor }: Codec) {
  const normals = seededNormals(SEED, 2)((channels * height * width) / downsampling ** 2);
  return normals.map((value) => value / scalingFactor);
}

export interface Deviation {
  /** Largest difference over the largest value of the reference. */
  readonly relative: number;
  /** Numbers that are NaN or infinite; `relative` is about the others. */
  readonly notFinite: number;
}

export function deviation(reference: Float32Array, other: Float32Array): Deviation {
  let [largest, difference, notFinite] = [0, 0, 0];
  for (let i = 0; i < reference.length; i++) {
    largest = Math.max(largest, Math.abs(reference[i]));
    if (Number.isFinite(other[i])) difference = Math.max(difference, Math.abs(other[i] - reference[i]));
    else notFinite++;
  }
  return { relative: largest === 0 ? difference : difference / largest, notFinite };
}

export interface Likeness {
  /** Decibels; null when both are equal to the last bit. */
  readonly psnr: number | null;
  readonly of: 'pixels' | 'latents';
  /** Of the reference's latents, from the smallest to the largest; null for pixels. */
  readonly range: number | null;
}

/** Mean over the frames, uint8 [T, H, W, 3]. */
export function likenessOfFrames(
  reference: Uint8Array,
  other: Uint8Array,
  height: number,
  width: number,
): Likeness {
  const measures = measureFrames(other, reference, height, width);
  const equal = measures.every(({ mse }) => mse === 0);
  const mean = measures.reduce((sum, { psnr }) => sum + psnr, 0) / measures.length;
  return { psnr: equal ? null : mean, of: 'pixels', range: null };
}

/** On the scale of the reference's own range, because latents have none that is agreed on. */
export function likenessOfLatents(reference: Float32Array, other: Float32Array): Likeness {
  let [low, high, squares] = [Infinity, -Infinity, 0];
  for (let i = 0; i < reference.length; i++) {
    low = Math.min(low, reference[i]);
    high = Math.max(high, reference[i]);
    squares += (other[i] - reference[i]) ** 2;
  }
  const range = high - low;
  const mse = squares / reference.length;
  return { psnr: mse === 0 ? null : 10 * Math.log10(range ** 2 / mse), of: 'latents', range };
}
