/** One DDIM step of one frame (Song et al. 2021), from any level to any lower one. */
import { combine, noiseEstimate } from './predictions.ts';
import type { Factors } from './predictions.ts';

const f = Math.fround;

export interface DdimStep {
  /** Of the level that the frame is at. */
  readonly factors: Factors;
  readonly alphaBar: number;
  /** Of the level that it goes to; 1 when that is clean. */
  readonly nextAlphaBar: number;
  readonly eta: number;
}

/**
 * x' = sqrt(ab') x0 + sqrt(1 - ab' - sigma^2) eps + sigma noise, in float32. `noise` is only read
 * when sigma is not 0, that is with eta above 0 and a next level that is not clean.
 */
export function ddimStep(
  step: DdimStep,
  x: Float32Array,
  x0: Float32Array,
  noise: Float32Array | null,
): Float32Array {
  const next = f(step.nextAlphaBar);
  const sigma = sigmaOf(step);
  // Rounding can make the radicand slightly negative from the level without signal: 0 then.
  const direction = f(Math.sqrt(Math.max(0, f(f(1 - next) - f(sigma * sigma)))));
  const eps = noiseEstimate(step.factors, x, x0);
  const out = combine(f(Math.sqrt(next)), x0, direction, eps);
  return sigma === 0 || noise === null ? out : combine(1, out, sigma, noise);
}

/** eta sqrt((1 - ab') / (1 - ab)) sqrt(1 - ab / ab'), 0 when the next level is clean. */
function sigmaOf({ alphaBar, nextAlphaBar, eta }: DdimStep): number {
  if (eta === 0 || nextAlphaBar === 1) return 0;
  const [bar, next] = [f(alphaBar), f(nextAlphaBar)];
  const spread = f(Math.sqrt(f(f(1 - next) / f(1 - bar))));
  return f(f(f(eta) * spread) * f(Math.sqrt(f(1 - f(bar / next)))));
}
