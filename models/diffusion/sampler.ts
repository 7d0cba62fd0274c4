/** The sampler's loop over one window. Model, noise and listeners are passed in. */
import { aborted, invalid } from '../errors.ts';
import { levelsOfRow, networkTimesteps } from './plan.ts';
import type { WindowPlan } from './plan.ts';

/**
 * One call of the network for a window: `x` [B, F, C, H, W], `timesteps` [B, F] (base timesteps),
 * `actions` [B, F, A] -> output [B, F, C, H, W].
 */
export type Denoiser = (
  x: Float32Array,
  timesteps: Float32Array,
  actions: Float32Array,
) => Promise<Float32Array>;

/** Noise of one window, asked for in the order of facts section 5. */
export interface WindowNoise {
  /** [B, context, C, H, W]; only asked for when the context is stabilised. */
  context(): Float32Array;
  /** [B, F, C, H, W]; the context's part is overwritten. */
  initial(): Float32Array;
  /** [B, F, C, H, W] for the transition out of `row`; asked for in every row, also with eta 0. */
  step(row: number): Float32Array | null;
}

/** A row that has been reached, 1-based; row 0 is the noise. */
export interface RowReport {
  readonly row: number;
  readonly rows: number;
  /** Level index of each of the F frames now, context first. */
  readonly levels: readonly (number | null)[];
  /** The window as it is now, [B, F, C, H, W]: a copy. */
  latents(): Float32Array;
  /** What the network believed in this row: clean frames, [B, F, C, H, W]. Clean and context frames as they are. */
  belief(): Float32Array;
}

export interface WindowRun {
  readonly plan: WindowPlan;
  readonly denoise: Denoiser;
  /** Numbers of one frame: C H W. */
  readonly frameSize: number;
  /** Clean context, [B, context, C, H, W]. */
  readonly context: Float32Array;
  /** [B, F, A]. */
  readonly actions: Float32Array;
  readonly noise: WindowNoise;
  /** B; 1 when left out. */
  readonly batch?: number;
  /** Awaited after every row, so that the caller may draw, or let others run. */
  readonly onRow?: ((report: RowReport) => void | Promise<void>) | undefined;
  /** Looked at before every row. */
  readonly signal?: { readonly aborted: boolean } | undefined;
}

/**
 * Runs the rows of the plan and returns the window as sampled, [B, F, C, H, W]: the context noised
 * when it is stabilised, frames beyond the kept ones at the level that they had reached.
 * @throws invalid noise, context, output; aborted.
 */
export async function sampleWindow(run: WindowRun): Promise<Float32Array> {
  const { plan, denoise, actions, noise, signal, onRow } = run;
  let x = startingWindow(run);
  for (let row = 0; row < plan.rows; row++) {
    if (signal?.aborted) throw aborted('the run');
    const output = await denoise(x, timestepsOf(run, row), actions);
    checkOutput(output, x.length);
    const fresh = noise.step(row);
    if (plan.eta > 0) checkNoise('step', fresh ?? new Float32Array(), x.length);
    const before = x;
    x = nextRow(run, row, before, output, fresh);
    await onRow?.(report(run, row, before, output, x));
  }
  if (signal?.aborted) throw aborted('the run');
  return x;
}

/** The whole window of noise, with the context in front, noised to its level once. */
function startingWindow(run: WindowRun): Float32Array {
  const { plan, frameSize, context, noise, batch = 1 } = run;
  const { contextLevel, process, frames } = plan;
  const length = batch * plan.context * frameSize;
  if (context.length !== length) {
    throw invalid(
      'context',
      `${context.length} numbers`,
      `give ${length}: ${plan.context} frames of ${frameSize}`,
    );
  }
  let shown = context;
  if (contextLevel !== null) {
    const added = noise.context();
    checkNoise('context', added, length);
    shown = process.noised(contextLevel, context, added);
  }
  const initial = noise.initial();
  checkNoise('initial', initial, batch * frames * frameSize);
  const x = initial.slice();
  const part = plan.context * frameSize;
  for (let b = 0; b < batch; b++) x.set(shown.subarray(b * part, (b + 1) * part), b * frames * frameSize);
  return x;
}

/** Frames whose level changes move to it; all others keep their values, bit for bit. */
function nextRow(
  { plan, frameSize, batch = 1 }: WindowRun,
  row: number,
  x: Float32Array,
  output: Float32Array,
  noise: Float32Array | null,
): Float32Array {
  const { matrix, process, frames, context, eta } = plan;
  const next = x.slice();
  for (let b = 0; b < batch; b++) {
    for (let frame = context; frame < frames; frame++) {
      const [from, to] = [matrix[row][frame - context], matrix[row + 1][frame - context]];
      if (from === to) continue;
      const start = (b * frames + frame) * frameSize;
      const part = (array: Float32Array) => array.subarray(start, start + frameSize);
      const drawn = eta > 0 && noise !== null ? part(noise) : null;
      next.set(process.step(from, to, eta, part(x), part(output), drawn), start);
    }
  }
  return next;
}

function report(
  run: WindowRun,
  row: number,
  before: Float32Array,
  output: Float32Array,
  after: Float32Array,
): RowReport {
  const { plan, frameSize } = run;
  const belief = () => {
    const out = before.slice();
    for (let at = 0; at < out.length; at += frameSize) {
      const frame = (at / frameSize) % plan.frames;
      const level = frame < plan.context ? 0 : plan.matrix[row][frame - plan.context];
      if (level === 0) continue;
      const end = at + frameSize;
      out.set(plan.process.clean(level, before.subarray(at, end), output.subarray(at, end)), at);
    }
    return out;
  };
  const levels = levelsOfRow(plan, row + 1);
  return { row: row + 1, rows: plan.rows, levels, latents: () => after.slice(), belief };
}

function timestepsOf({ plan, batch = 1 }: WindowRun, row: number): Float32Array {
  const one = networkTimesteps(plan, row);
  const all = new Float32Array(batch * one.length);
  for (let b = 0; b < batch; b++) all.set(one, b * one.length);
  return all;
}

function checkOutput(output: Float32Array, length: number): void {
  if (output.length !== length) {
    throw invalid('network output', `${output.length} numbers`, `the window has ${length}`);
  }
  const bad = output.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    throw invalid('network output', `${output[bad]} at ${bad}`, 'the model overflowed; run it in float32');
  }
}

function checkNoise(name: string, noise: Float32Array, length: number): void {
  if (noise.length !== length) {
    throw invalid(`${name} noise`, `${noise.length} numbers`, `this window needs ${length}`);
  }
  const bad = noise.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw invalid(`${name} noise`, `${noise[bad]} at ${bad}`, 'all numbers must be finite');
}
