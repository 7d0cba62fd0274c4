/** What the wanted schedule means: its matrix, what each level is, and what it costs. No model is needed for it. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { Manifest } from '../../../models/bundle/manifest.ts';
import { cachedCalls } from '../../../models/diffusion/cache-plan.ts';
import { windowCost } from '../../../models/diffusion/cost.ts';
import { levelsOfRow } from '../../../models/diffusion/plan.ts';
import type { WindowPlan } from '../../../models/diffusion/plan.ts';
import { plansOfSpec } from '../../../models/rollout.ts';
import type { RunSpec } from '../../../models/run.ts';

export interface Plan {
  /**
   * Level indices of the first window [rows + 1, frames], context first; 0 clean to `steps` pure noise. Rows after
   * the last that is computed are left out. A flow model's held context has no index: null.
   */
  readonly levels: readonly (readonly (number | null)[])[];
  readonly steps: number;
  readonly context: number;
  /** Frames of a window. */
  readonly frames: number;
  readonly windows: number;
  /** Frames that each window adds to the rollout. */
  readonly keep: number;
  /** Frames of the whole rollout, context included. */
  readonly horizon: number;
  /** Base timesteps of level indices 0..steps; -1 for clean. */
  readonly timesteps: readonly number[];
  /** Signal left at level indices 1..steps (alpha-bar); null in flow. */
  readonly alphaBars: readonly number[] | null;
  /** Timestep at which the context is held; null when it is clean. */
  readonly contextTimestep: number | null;
  readonly networkCalls: number;
  /** Frames that the network computes: with the `cached` graph, where the bundle has it, those that change its answer. */
  readonly frameEvaluations: number;
  /** Frames decoded to show what the model believes: after every row those whose belief has moved. */
  readonly beliefFrames: number;
}

export interface PlanState {
  readonly plan: Plan | null;
  /** Why there is none: one sentence. */
  readonly failure: string | null;
}

export type PlanStore = StoreApi<PlanState>;

export function createPlan(): PlanStore {
  return createStore<PlanState>(() => ({ plan: null, failure: null }));
}

/** @throws one sentence when the bundle cannot do what the spec says. */
export function planOf(spec: RunSpec, manifest: Manifest): Plan {
  const { sampler, context, horizon } = spec;
  const plans = plansOfSpec(spec, manifest);
  const first = plans[0]!;
  const costs = plans.map(windowCost);
  const cached = manifest.denoiser?.graphs.cached !== undefined;
  const total = (read: (cost: (typeof costs)[number]) => number) =>
    costs.reduce((sum, cost) => sum + read(cost), 0);
  return {
    levels: Array.from({ length: first.rows + 1 }, (_, row) => levelsOfRow(first, row)),
    steps: sampler.steps,
    context,
    frames: first.frames,
    windows: plans.length,
    keep: first.keep,
    horizon,
    timesteps: first.process.timesteps,
    alphaBars: first.process.alphaBars,
    contextTimestep: first.contextLevel?.timestep ?? null,
    networkCalls: total((cost) => cost.networkCalls),
    frameEvaluations: total((cost) => (cached ? cost.cachedEvaluations : cost.windowEvaluations)),
    beliefFrames: plans.reduce((sum, window) => sum + beliefsOf(window, cached), 0),
  };
}

/**
 * First the whole window is decoded, then after each row the frames whose belief has moved: those that are not clean
 * yet and that the network has computed in it.
 */
function beliefsOf(plan: WindowPlan, cached: boolean): number {
  const { matrix, rows, context, frames } = plan;
  const calls = cached ? cachedCalls(plan) : null;
  let sum = rows > 0 ? frames : 0;
  for (let row = 1; row < rows; row++) {
    const unfinished = (frame: number) => frame >= context && matrix[row]![frame - context]! > 0;
    const computed = calls ? calls[row]!.compute.map(({ frame }) => frame) : [...Array(frames).keys()];
    sum += computed.filter(unfinished).length;
  }
  return sum;
}

/**
 * Rows [from, to] between which a frame is denoised: at `from` it has its first level for the last time, at `to`
 * its last level for the first time. Null when it never changes.
 */
export function activeRows(levels: Plan['levels'], frame: number): readonly [number, number] | null {
  const column = levels.map((row) => row[frame] ?? null);
  const from = column.findLastIndex((level) => level === column[0]);
  const to = column.indexOf(column.at(-1) ?? null);
  return from === column.length - 1 ? null : [from, to];
}
