import { describe, expect, it } from 'vitest';
import { readReferenceText, referencePath } from '../testing/reference.ts';
import { planRequest } from '../testing/process.ts';
import { windowCost } from './cost.ts';
import { windowPlan } from './plan.ts';
import type { SchedulingMode } from './scheduling-matrix.ts';

const cost = (request: Parameters<typeof planRequest>[0]) => windowCost(windowPlan(planRequest(request)));

interface RolloutCase {
  case: string;
  model: string;
  mode: SchedulingMode;
  steps: number;
  keep_frames: number | null;
  network_calls: number;
}

describe.skipIf(referencePath('rollout/cases.json') === null)('of the recorded rollouts', () => {
  const cases = JSON.parse(readReferenceText('rollout/cases.json') ?? '[]') as RolloutCase[];
  const windowOf = ({ model, mode, steps, keep_frames: keep }: RolloutCase) => ({
    mode,
    steps,
    keep,
    ...(model.endsWith('csgo') ? { frames: 8, context: 4 } : { frames: 4, context: 1 }),
  });

  it('the calls of the network are as many', () => {
    for (const item of cases) expect(cost(windowOf(item)).networkCalls).toBe(item.network_calls);
  });

  it('the frames that suffice are context + S n, and n - 1 more unless all move at once', () => {
    for (const item of cases) {
      const { mode, steps, keep, frames, context } = windowOf(item);
      const n = keep ?? frames - context;
      const again = mode === 'full_sequence' ? 0 : n - 1;
      expect(cost(windowOf(item)).cachedEvaluations, item.case).toBe(context + steps * n + again);
    }
    const sequential = cases.find(({ case: name }) => name === '0-additive-sequential')!;
    expect(cost(windowOf(sequential))).toMatchObject({ windowEvaluations: 96, cachedEvaluations: 27 });
  });
});

describe('frame evaluations', () => {
  it('of the CSGO setting: 800 by the window graph, 54 suffice', () => {
    const csgo = { frames: 16, context: 4, steps: 50, keep: 1, stabilisation: 0.02 };
    expect(cost(csgo)).toEqual({ networkCalls: 50, windowEvaluations: 800, cachedEvaluations: 54 });
    expect(800 / 54).toBeCloseTo(14.8, 1);
  });

  it('are context + S n, and n - 1 more unless the lag is 0', () => {
    for (const context of [0, 1, 3]) {
      for (const keep of [1, 2, 5]) {
        for (const steps of [1, 4, 9]) {
          const at = (lag: number) =>
            cost({ mode: 'lag', lag, frames: 5 + context, context, keep, steps }).cachedEvaluations;
          expect(at(0)).toBe(context + steps * keep);
          for (const lag of [1, 2, steps, steps + 3]) {
            expect(at(lag), `lag ${lag}`).toBe(context + steps * keep + keep - 1);
          }
        }
      }
    }
  });

  it('count a frame again whenever a later one changes after it did', () => {
    // frame 0 falls, waits at level 1 while frame 1 falls twice, then both end
    const matrix = [
      [2, 2],
      [1, 2],
      [1, 1],
      [0, 1],
      [0, 0],
    ];
    // context; then frame 0; 0 at its new level and 1; 0; 0 now clean and 1
    expect(cost({ mode: 'matrix', matrix, frames: 3, steps: 2 }).cachedEvaluations).toBe(1 + 1 + 2 + 1 + 2);
  });
});
