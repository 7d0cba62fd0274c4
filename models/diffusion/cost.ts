/** What a window costs before it runs (facts section 6). */
import { cachedCalls } from './cache-plan.ts';
import type { WindowPlan } from './plan.ts';

export interface Cost {
  /** Calls of the network: row transitions. */
  readonly networkCalls: number;
  /** Frames that the `window` graph computes: all of them, every time. */
  readonly windowEvaluations: number;
  /** Frames that the `cached` graph (causal models) has to compute for the same output. */
  readonly cachedEvaluations: number;
}

export function windowCost(plan: WindowPlan): Cost {
  return {
    networkCalls: plan.rows,
    windowEvaluations: plan.rows * plan.frames,
    cachedEvaluations: cachedCalls(plan).reduce((sum, { compute }) => sum + compute.length, 0),
  };
}
