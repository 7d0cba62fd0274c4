/**
 * From what the network predicts to the clean frame and the noise in it (facts section 3). Tables
 * are float64, factors are rounded to float32, and so is the result of every operation on tensors.
 */
import { unknown } from '../errors.ts';

export const PREDICTIONS = ['v', 'epsilon', 'x', 'flow'] as const;
export type Prediction = (typeof PREDICTIONS)[number];
export type DiffusionPrediction = Exclude<Prediction, 'flow'>;

const f = Math.fround;
/** The reference's floor of alpha-bar where it is divided by. */
const SMALLEST_ALPHA_BAR = 1e-8;

/** float32 factors of one timestep. */
export interface Factors {
  /** sqrt(alpha-bar), sqrt(1 - alpha-bar). */
  readonly signal: number;
  readonly noise: number;
  /** sqrt(1 / alpha-bar), sqrt(1 / alpha-bar - 1), alpha-bar at least 1e-8. */
  readonly inverse: number;
  readonly inverseNoise: number;
}

export function factorsOf(alphaBar: number): Factors {
  const floored = Math.max(alphaBar, SMALLEST_ALPHA_BAR);
  return {
    signal: f(Math.sqrt(alphaBar)),
    noise: f(Math.sqrt(1 - alphaBar)),
    inverse: f(Math.sqrt(1 / floored)),
    inverseNoise: f(Math.sqrt(1 / floored - 1)),
  };
}

/** The clean frame x0 that `output` predicts for the noisy `x`: arrays of equal length. */
export function cleanEstimate(
  prediction: DiffusionPrediction,
  { signal, noise, inverse, inverseNoise }: Factors,
  x: Float32Array,
  output: Float32Array,
): Float32Array {
  switch (prediction) {
    case 'v':
      return combine(signal, x, -noise, output);
    case 'epsilon':
      return combine(inverse, x, -inverseNoise, output);
    case 'x':
      return output.slice();
    default:
      throw unknown('prediction', prediction satisfies never, `use ${PREDICTIONS.join(', ')}`);
  }
}

/** The noise that is in `x` when its clean frame is `x0`: (sqrt(1/ab) x - x0) / sqrt(1/ab - 1). */
export function noiseEstimate(factors: Factors, x: Float32Array, x0: Float32Array): Float32Array {
  const { inverse, inverseNoise } = factors;
  return x.map((value, i) => f(f(inverse * value) - x0[i]) / inverseNoise);
}

/** a x + b y in float32, rounded after each operation. */
export function combine(a: number, x: Float32Array, b: number, y: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) out[i] = f(a * x[i]) + f(b * y[i]);
  return out;
}
