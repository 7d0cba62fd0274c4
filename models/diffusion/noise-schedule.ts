/** How much signal each timestep of the training process keeps: alpha-bar (facts/nanowm.md section 3). */
import { invalid, unknown } from '../errors.ts';

export const NOISE_SCHEDULES = ['linear', 'squaredcos_cap_v2'] as const;
export type NoiseScheduleName = (typeof NOISE_SCHEDULES)[number];

export interface NoiseSchedule {
  readonly schedule: NoiseScheduleName;
  /** Timesteps of the process: T, 1000 for every published model. */
  readonly steps: number;
  /** Whether the last timestep is pure noise (Lin et al. 2023). */
  readonly zeroTerminalSnr: boolean;
}

/** The largest beta of the cosine schedule (Nichol and Dhariwal 2021). */
const BETA_CAP = 0.999;

/** alpha-bar of timesteps 0..T-1, float64: cumulative product of 1 - beta. */
export function alphaBars({ schedule, steps, zeroTerminalSnr }: NoiseSchedule): Float64Array {
  if (!Number.isInteger(steps) || steps < 1) {
    throw invalid('timesteps', steps, 'give a whole number, 1000 for the published models');
  }
  const beta = betaOf(schedule, steps);
  const bars = new Float64Array(steps);
  let product = 1;
  for (let t = 0; t < steps; t++) {
    product *= 1 - beta(t);
    bars[t] = product;
  }
  return zeroTerminalSnr ? withZeroTerminalSnr(bars) : bars;
}

function betaOf(schedule: NoiseScheduleName, steps: number): (t: number) => number {
  switch (schedule) {
    case 'linear': {
      const slope = steps > 1 ? (2e-2 - 1e-4) / (steps - 1) : 0;
      return (t) => 1e-4 + t * slope;
    }
    case 'squaredcos_cap_v2': {
      const f = (u: number) => Math.cos(((u + 0.008) / 1.008) * (Math.PI / 2)) ** 2;
      return (t) => Math.min(1 - f((t + 1) / steps) / f(t / steps), BETA_CAP);
    }
    default:
      throw unknown('noise schedule', schedule satisfies never, `use ${NOISE_SCHEDULES.join(' or ')}`);
  }
}

/** Shifts sqrt(alpha-bar) so that the last is 0, and stretches it so that the first stays. */
function withZeroTerminalSnr(bars: Float64Array): Float64Array {
  const first = Math.sqrt(bars[0]);
  const last = Math.sqrt(bars[bars.length - 1]);
  // A process of one timestep has nothing to stretch.
  if (first === last) return bars;
  return bars.map((bar) => (((Math.sqrt(bar) - last) * first) / (first - last)) ** 2);
}
