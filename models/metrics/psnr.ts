/** piqa's epsilon: equal frames have 80 dB, not infinity. */
const EPSILON = 1e-8;

/**
 * Peak signal to noise ratio in decibels on the scale [0, 1], from the MSE on [-1, 1], which is
 * four times that on [0, 1] (facts/nanowm.md section 8).
 */
export function psnr(mse: number): number {
  return 10 * Math.log10((1 + EPSILON) / (mse / 4 + EPSILON));
}
