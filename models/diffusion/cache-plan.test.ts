import { describe, expect, it } from 'vitest';
import { seededRandom } from '../array/random.ts';
import { causalNetwork } from '../testing/causal-network.ts';
import { planRequest } from '../testing/process.ts';
import { cachedCalls, memorySlots } from './cache-plan.ts';
import { windowCost } from './cost.ts';
import { seededNoise } from './noise.ts';
import { windowPlan } from './plan.ts';
import type { WindowPlan } from './plan.ts';
import { sampleWindow } from './sampler.ts';
import type { RowReport, WindowRun } from './sampler.ts';

const calls = (request: Parameters<typeof planRequest>[0]) =>
  cachedCalls(windowPlan(planRequest(request))).map(({ compute, seen, kept }) => ({
    compute: compute.map(({ frame, level }) => `${frame}@${level}`).join(' '),
    seen: seen.join(' '),
    kept: kept.join(' '),
  }));

describe('the plan of', () => {
  it('sequential: the context once, a frame at a time, each once more when it is clean', () => {
    expect(calls({ mode: 'sequential', steps: 2, stabilisation: 0.5, keep: 2 })).toEqual([
      { compute: '0@1 1@2', seen: '', kept: '0' },
      { compute: '1@1', seen: '0', kept: '' },
      { compute: '1@0 2@2', seen: '0', kept: '1' },
      { compute: '2@1', seen: '0 1', kept: '' },
    ]);
  });

  it('pyramid: what moves together in one call, clean frames leave it one by one', () => {
    expect(calls({ mode: 'pyramid', steps: 2, keep: 3 })).toEqual([
      { compute: '0@0 1@2', seen: '', kept: '0' },
      { compute: '1@1 2@2', seen: '0', kept: '' },
      { compute: '1@0 2@1 3@2', seen: '0', kept: '1' },
      { compute: '2@0 3@1', seen: '0 1', kept: '' },
    ]);
  });

  it('full sequence: all kept frames in every row, beside the context', () => {
    expect(calls({ mode: 'full_sequence', steps: 2, keep: 2, frames: 5, context: 2 })).toEqual([
      { compute: '0@0 1@0 2@2 3@2', seen: '', kept: '0 1' },
      { compute: '2@1 3@1', seen: '0 1', kept: '' },
    ]);
  });

  it('a lag beyond the steps: nothing to call while the next frame waits', () => {
    const computed = calls({ mode: 'lag', lag: 3, steps: 1, keep: 2 }).map(({ compute }) => compute);
    expect(computed).toEqual(['0@0 1@1', '', '', '1@0 2@1']);
  });

  it('a matrix in which an earlier frame moves: what stands behind it is computed again', () => {
    const matrix = [
      [2, 2, 2],
      [2, 0, 2],
      [2, 0, 1],
      [1, 0, 1],
      [1, 0, 0],
      [0, 0, 0],
    ];
    expect(calls({ mode: 'matrix', matrix, steps: 2 }).map(({ compute }) => compute)).toEqual([
      '0@0 1@2 2@2',
      '2@0 3@2',
      '1@2',
      '1@1 2@0 3@1',
      '1@1',
    ]);
  });
});

it('shows every frame at its timestep: the context at the stabilised one, clean frames at the lowest', () => {
  const [first, , third] = cachedCalls(windowPlan(planRequest({ steps: 2, stabilisation: 0.9 })));
  expect(first.compute.map(({ timestep }) => timestep)).toEqual([999, 999]);
  expect(third.compute.map(({ timestep }) => timestep)).toEqual([0, 999]);
});

it('a long schedule is planned once, and its rows share the lists of what they see', () => {
  const plan = windowPlan(planRequest({ frames: 64, steps: 1000 }));
  const all = cachedCalls(plan);
  expect(cachedCalls(plan)).toBe(all);
  expect(all.length).toBe(63_000);
  expect(new Set(all.map(({ seen }) => seen)).size).toBe(64);
  expect(memorySlots(all)).toBe(63);
});

/** Levels that fall by chance, wait by chance, in any order of frames. */
function randomPlan(random: () => number): WindowPlan {
  const whole = (most: number) => Math.floor(random() * (most + 1));
  const [steps, context, generated] = [1 + whole(5), whole(3), 1 + whole(4)];
  const matrix = [new Array<number>(generated).fill(steps)];
  const patience = random();
  while (matrix.at(-1)!.some((level) => level > 0)) {
    const haste = random();
    matrix.push(
      matrix
        .at(-1)!
        .map((level) => (random() < patience * haste ? level : level - whole(Math.min(level, 2)))),
    );
  }
  return windowPlan(
    planRequest({
      mode: 'matrix',
      matrix,
      steps,
      context,
      frames: context + generated,
      keep: 1 + whole(generated - 1),
      eta: random() < 0.5 ? 0 : random(),
      stabilisation: random() < 0.5 ? 0 : 0.9 * random(),
    }),
  );
}

describe('over 300 random matrices', () => {
  const SIZE = 3;
  const random = seededRandom(2026);
  const plans = Array.from({ length: 300 }, () => randomPlan(random));

  /** Both ways, with the window in every row. */
  async function both(plan: WindowPlan, seed: number, batch: number) {
    const network = causalNetwork(plan.frames);
    const context = Float32Array.from({ length: batch * plan.context * SIZE }, () => random());
    const run = async (changes: Pick<WindowRun, 'denoise' | 'cached'>) => {
      const rows: RowReport[] = [];
      await sampleWindow({
        plan,
        ...changes,
        frameSize: SIZE,
        context,
        actions: Float32Array.from({ length: batch * plan.frames * 2 }, (_, i) => Math.sin(i + seed)),
        noise: seededNoise('playground', seed, batch * SIZE)(0, plan),
        batch,
        onRow: (row) => void rows.push(row),
      });
      return rows;
    };
    const whole = await run({ denoise: network.denoise });
    const cached = await run({ denoise: null, cached: network.cached });
    return { whole, cached, network };
  }

  /** The frames of each clip that a run is for: context and kept ones. */
  const keptOf = ({ frames, context, keep }: WindowPlan, window: Float32Array) =>
    Array.from(window).filter((_, i) => Math.floor(i / SIZE) % frames < context + keep);

  it('the cached network gives the window the same kept frames, bit for bit, in every row', async () => {
    for (const [index, plan] of plans.entries()) {
      const { whole, cached, network } = await both(plan, index, 1 + (index % 3));
      expect(cached.length).toBe(plan.rows);
      for (let row = 0; row < plan.rows; row++) {
        const [a, b] = [whole[row], cached[row]].map((report) => keptOf(plan, report.latents()));
        expect(b, `matrix ${index}, row ${row}`).toEqual(a);
      }
      expect(network.open()).toBe(0);
    }
  });

  it('computes as many frames as the cost says, never more than the window does', async () => {
    for (const [index, plan] of plans.entries()) {
      const { cached, network, whole } = await both(plan, index, 2);
      const { cachedEvaluations, windowEvaluations } = windowCost(plan);
      expect(network.evaluations()).toBe(2 * cachedEvaluations);
      expect(cached.reduce((sum, { evaluations }) => sum + evaluations, 0)).toBe(cachedEvaluations);
      expect(whole.reduce((sum, { evaluations }) => sum + evaluations, 0)).toBe(windowEvaluations);
      expect(cachedEvaluations).toBeLessThanOrEqual(windowEvaluations);
    }
  });

  it('believes the same of every frame that moves, and of the others what it last believed', async () => {
    for (const [index, plan] of plans.entries()) {
      const { whole, cached } = await both(plan, index, 1);
      const { matrix, context, keep } = plan;
      for (let row = 0; row < plan.rows; row++) {
        const [a, b] = [whole[row].belief(), cached[row].belief()];
        const last = row > 0 ? cached[row - 1].belief() : null;
        for (let frame = context; frame < context + keep; frame++) {
          const part = (window: Float32Array) => window.slice(frame * SIZE, (frame + 1) * SIZE);
          const moves = matrix[row + 1][frame - context] !== matrix[row][frame - context];
          const clean = matrix[row][frame - context] === 0;
          if (moves || clean) expect(part(b)).toEqual(part(a));
          else if (last && cached[row].evaluations === 0) expect(part(b)).toEqual(part(last));
        }
      }
    }
  });
});
