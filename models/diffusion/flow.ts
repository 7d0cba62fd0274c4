/** Flow matching: time runs from noise (tau 0) to clean (tau 1); the output is u = x0 - noise. */
import { invalid } from '../errors.ts';
import { combine } from './predictions.ts';

const f = Math.fround;
/** Base timesteps of every flow model: T_s, not respaced. */
export const FLOW_TIMESTEPS = 1000;

/** Share of signal at a base timestep; -1 is clean. */
export function tauOf(timestep: number): number {
  return 1 - (timestep + 1) / FLOW_TIMESTEPS;
}

/**
 * Base timestep of level indices 0..S (-1: clean): linspace(-1, T_s - 1, S + 1) as PyTorch's
 * float32 has it, from both ends to the middle, truncated towards zero.
 */
export function flowTimestepMap(steps: number): number[] {
  if (!Number.isInteger(steps) || steps < 1 || steps > FLOW_TIMESTEPS) {
    throw invalid('steps', steps, `give a whole number from 1 to ${FLOW_TIMESTEPS}`);
  }
  const step = f(FLOW_TIMESTEPS / steps);
  const half = Math.floor((steps + 1) / 2);
  return Array.from({ length: steps + 1 }, (_, k) => {
    const value = k < half ? f(-1 + k * step) : f(FLOW_TIMESTEPS - 1 - (steps - k) * step);
    return Math.trunc(value) + 0; // no negative zero
  });
}

/** x0 = x + (1 - tau) u. */
export function flowClean(timestep: number, x: Float32Array, u: Float32Array): Float32Array {
  return combine(1, x, f(1 - f(tauOf(timestep))), u);
}

/** Euler: x' = x + (tau' - tau) u; `next` is -1 when the frame becomes clean. */
export function flowStep(timestep: number, next: number, x: Float32Array, u: Float32Array): Float32Array {
  return combine(1, x, f(f(tauOf(next)) - f(tauOf(timestep))), u);
}

/** tau x0 + (1 - tau) noise. */
export function flowNoised(timestep: number, x0: Float32Array, noise: Float32Array): Float32Array {
  const tau = f(tauOf(timestep));
  return combine(tau, x0, f(1 - tau), noise);
}
