/**
 * Structural similarity (Wang et al. 2004) as piqa computes it: an 11 x 11 Gaussian window, valid
 * area only, per channel, then the mean. In float64: float32 is off by 1.5e-5.
 */
import { invalid } from '../errors.ts';

const SIZE = 11;
const SIGMA = 1.5;
/** (k1 L)^2 and (k2 L)^2 for k1 = 0.01, k2 = 0.03 and a range L of 1. */
const C1 = 0.01 ** 2;
const C2 = 0.03 ** 2;
const WINDOW = gaussian();

/** SSIM of two frames of bytes [H, W, 3]; sides of at least 11. 1 when they are equal. */
export function ssim(a: Uint8Array, b: Uint8Array, height: number, width: number): number {
  if (a.length !== 3 * height * width || b.length !== a.length) {
    const sizes = `${a.length} and ${b.length} numbers`;
    throw invalid('frames', sizes, `give two of ${height} x ${width} x 3`);
  }
  if (height < SIZE || width < SIZE) {
    throw invalid('frame size', `${height} x ${width}`, `SSIM needs sides of at least ${SIZE}`);
  }
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) sum += channelSum(a, b, channel, height, width);
  return sum / (3 * (height - SIZE + 1) * (width - SIZE + 1));
}

/** Sum of the similarity map of one channel. */
function channelSum(a: Uint8Array, b: Uint8Array, channel: number, height: number, width: number): number {
  const area = height * width;
  const [x, y, squares, products] = [0, 1, 2, 3].map(() => new Float64Array(area));
  for (let i = 0; i < area; i++) {
    x[i] = a[3 * i + channel] / 255;
    y[i] = b[3 * i + channel] / 255;
    squares[i] = x[i] * x[i] + y[i] * y[i];
    products[i] = x[i] * y[i];
  }
  // Only the sum of the two variances is needed, so their second moments are blurred together.
  const [mx, my, ms, mp] = [x, y, squares, products].map((map) => blur(map, height, width));
  let sum = 0;
  for (let i = 0; i < mx.length; i++) {
    const means = mx[i] * my[i];
    const meanSquares = mx[i] * mx[i] + my[i] * my[i];
    const structure = (2 * (mp[i] - means) + C2) / (ms[i] - meanSquares + C2);
    sum += ((2 * means + C1) / (meanSquares + C1)) * structure;
  }
  return sum;
}

/** [H, W] -> [H - 10, W - 10]: the Gaussian window, rows first, then columns. */
function blur(map: Float64Array, height: number, width: number): Float64Array {
  const across = width - SIZE + 1;
  const rows = new Float64Array(height * across);
  for (let r = 0; r < height; r++) {
    for (let c = 0; c < across; c++) {
      let sum = 0;
      for (let k = 0; k < SIZE; k++) sum += WINDOW[k] * map[r * width + c + k];
      rows[r * across + c] = sum;
    }
  }
  const out = new Float64Array((height - SIZE + 1) * across);
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let k = 0; k < SIZE; k++) sum += WINDOW[k] * rows[i + k * across];
    out[i] = sum;
  }
  return out;
}

function gaussian(): Float64Array {
  const middle = (SIZE - 1) / 2;
  const weights = Float64Array.from({ length: SIZE }, (_, i) =>
    Math.exp(-((i - middle) ** 2) / (2 * SIGMA ** 2)),
  );
  const total = weights.reduce((a, b) => a + b);
  return weights.map((weight) => weight / total);
}
