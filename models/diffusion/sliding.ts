/** Rollouts longer than a window: it slides by the frames that are kept (facts section 5). */
import { invalid } from '../errors.ts';
import type { Networks } from './denoiser.ts';
import { windowPlan } from './plan.ts';
import type { PlanRequest, WindowPlan } from './plan.ts';
import { sampleWindow } from './sampler.ts';
import type { RowReport, WindowNoise } from './sampler.ts';

export interface SlidingRun extends Networks {
  /** `keep` here is what a window keeps; null for one whole window. */
  readonly request: PlanRequest;
  /** Frames of the whole rollout, context included: T. */
  readonly length: number;
  readonly frameSize: number;
  /** Clean, [context, C, H, W]. */
  readonly context: Float32Array;
  /** [rows, A], as the network takes them; past the last row, that row repeats. */
  readonly actions: Float32Array;
  readonly actionWidth: number;
  /** Noise of each window: drawn anew. */
  readonly noise: (window: number, plan: WindowPlan) => WindowNoise;
  readonly onRow?: ((report: RowReport, window: number) => void | Promise<void>) | undefined;
  readonly signal?: { readonly aborted: boolean } | undefined;
}

/** The plans of all windows of a rollout of `length` frames; the last may keep fewer frames. */
export function windowPlans(request: PlanRequest, length: number): WindowPlan[] {
  const { context, frames } = request;
  if (!Number.isInteger(length) || length <= context) {
    throw invalid('horizon', length, `it counts all frames, the ${context} of context included; give more`);
  }
  const generated = frames - context;
  if (request.keep === null && length > frames) {
    throw invalid('horizon', length, `one window has ${frames} frames; keep some of each window and slide`);
  }
  const keep = request.keep ?? generated;
  const full = windowPlan({ ...request, keep: Math.min(keep, length - context) });
  const count = Math.ceil((length - context) / keep);
  const left = length - context - (count - 1) * keep;
  const last = left === full.keep ? full : windowPlan({ ...request, keep: left });
  return [...new Array<WindowPlan>(count - 1).fill(full), last];
}

/**
 * The rollout's latents [T, C, H, W]. Several windows: the clean context, then the kept frames.
 * One window: as sampled, the context noised when it is stabilised.
 */
export async function sampleSliding(run: SlidingRun): Promise<Float32Array> {
  const { request, length, frameSize, signal, denoise, cached } = run;
  const plans = windowPlans(request, length);
  const latents = new Float32Array(length * frameSize);
  latents.set(run.context);
  let start = 0;
  for (const [window, plan] of plans.entries()) {
    const from = start * frameSize;
    const sampled = await sampleWindow({
      plan,
      denoise,
      cached,
      frameSize,
      context: latents.slice(from, from + plan.context * frameSize),
      actions: windowActions(run, start),
      noise: run.noise(window, plan),
      onRow: run.onRow && ((report) => run.onRow!(report, window)),
      signal,
    });
    if (plans.length === 1) return sampled.slice(0, length * frameSize);
    const kept = sampled.subarray(plan.context * frameSize, (plan.context + plan.keep) * frameSize);
    latents.set(kept, from + plan.context * frameSize);
    start += plan.keep;
  }
  return latents;
}

/** [F, A] for the window that begins at frame `start` of the rollout. */
function windowActions({ actions, actionWidth, request }: SlidingRun, start: number): Float32Array {
  const rows = actions.length / actionWidth;
  if (!Number.isInteger(rows) || rows < 1) {
    throw invalid('actions', `${actions.length} numbers`, `give rows of ${actionWidth}`);
  }
  const out = new Float32Array(request.frames * actionWidth);
  for (let frame = 0; frame < request.frames; frame++) {
    const row = Math.min(start + frame, rows - 1) * actionWidth;
    out.set(actions.subarray(row, row + actionWidth), frame * actionWidth);
  }
  return out;
}
