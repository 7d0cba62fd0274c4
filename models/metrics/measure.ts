/** All measures of frames against a truth. */
import { invalid } from '../errors.ts';
import { mse } from './mse.ts';
import { psnr } from './psnr.ts';
import { ssim } from './ssim.ts';

export interface Measures {
  /** On frames in [-1, 1]. */
  readonly mse: number;
  /** Decibels, on frames in [0, 1]; 80 for equal frames. */
  readonly psnr: number;
  /** 1 for equal frames. */
  readonly ssim: number;
}

/** Measures of each of the frames, uint8 [T, H, W, 3], that both arrays have. */
export function measureFrames(
  predicted: Uint8Array,
  truth: Uint8Array,
  height: number,
  width: number,
): Measures[] {
  const size = 3 * height * width;
  if (predicted.length % size !== 0 || truth.length % size !== 0) {
    throw invalid('frames', `${predicted.length} and ${truth.length} numbers`, `${size} make a frame`);
  }
  const frames = Math.min(predicted.length, truth.length) / size;
  return Array.from({ length: frames }, (_, i) => {
    const [a, b] = [predicted, truth].map((all) => all.subarray(i * size, (i + 1) * size));
    const error = mse(a, b);
    return { mse: error, psnr: psnr(error), ssim: ssim(a, b, height, width) };
  });
}
