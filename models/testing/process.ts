/** Settings that many tests of the sampler share. */
import type { PlanRequest } from '../diffusion/plan.ts';
import type { ProcessSpec } from '../diffusion/process.ts';

/** What every published model was trained with, but for the prediction. */
export const PUBLISHED: ProcessSpec = {
  schedule: 'squaredcos_cap_v2',
  steps: 1000,
  prediction: 'v',
  zeroTerminalSnr: true,
};

/** A window of 4 frames, 1 of context, 4 steps. */
export function planRequest(changes: Partial<PlanRequest> = {}): PlanRequest {
  return {
    diffusion: PUBLISHED,
    mode: 'sequential',
    steps: 4,
    frames: 4,
    context: 1,
    stabilisation: 0,
    eta: 0,
    keep: null,
    ...changes,
  };
}
