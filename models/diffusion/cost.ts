/** What a window costs before it runs (facts section 6). */
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
    cachedEvaluations: cachedEvaluations(plan),
  };
}

/**
 * Each context frame once; then, in every row, the kept frames that change, and the earlier ones
 * whose keys and values were computed at another level than they have now. Frames after the last
 * one that changes, and frames that are not kept, are never computed.
 */
function cachedEvaluations({ matrix, rows, keep, context }: WindowPlan): number {
  const computed = new Array<number>(keep).fill(-1);
  let count = context;
  for (let row = 0; row < rows; row++) {
    const changes = (frame: number) => matrix[row + 1][frame] !== matrix[row][frame];
    let last = keep - 1;
    while (last >= 0 && !changes(last)) last--;
    for (let frame = 0; frame <= last; frame++) {
      if (!changes(frame) && computed[frame] === matrix[row][frame]) continue;
      computed[frame] = matrix[row][frame];
      count++;
    }
  }
  return count;
}
