/** The sampler's loop over one window. Model, noise and listeners are passed in. */
import { aborted, invalid } from '../errors.ts';
import { openNetwork } from './denoiser.ts';
import type { Evaluated, Networks } from './denoiser.ts';
import { levelsOfRow } from './plan.ts';
import type { WindowPlan } from './plan.ts';

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
  /** Frames of a clip that the network computed for this row; 0 when it was not called. */
  readonly evaluations: number;
  /** The window as it is now, [B, F, C, H, W]: a copy. */
  latents(): Float32Array;
  /**
   * What the network believed in this row: clean frames, [B, F, C, H, W]. Clean and context frames are as
   * they are. A frame that was not computed in this row is as it was believed when it last was; one that
   * never was computed yet (the cached graph leaves out frames whose time has not come) is the noise it is.
   */
  belief(): Float32Array;
}

export interface WindowRun extends Networks {
  readonly plan: WindowPlan;
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
 * when it is stabilised, frames beyond the kept ones at the level that they had reached: the cached
 * graph never computes those, so with it they are still the noise that they began as.
 * @throws invalid noise, context, output; aborted.
 */
export async function sampleWindow(run: WindowRun): Promise<Float32Array> {
  const { plan, noise, signal, onRow, batch = 1 } = run;
  let x = startingWindow(run);
  let beliefs: Beliefs = new Array<Belief | null>(batch * plan.frames).fill(null);
  const network = openNetwork({ ...run, batch });
  try {
    for (let row = 0; row < plan.rows; row++) {
      if (signal?.aborted) throw aborted('the run');
      const evaluated = await network.evaluate(row, x);
      checkOutput(evaluated.output, batch * evaluated.frames.length * run.frameSize);
      const fresh = noise.step(row);
      if (plan.eta > 0) checkNoise('step', fresh ?? new Float32Array(), x.length);
      beliefs = withBeliefs(run, row, x, evaluated, beliefs);
      const before = x;
      x = nextRow(run, row, before, evaluated, fresh);
      await onRow?.(report(run, row, before, evaluated, beliefs, x));
    }
  } finally {
    network.close();
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

/** Computed frames whose level changes move to it; all others keep their values, bit for bit. */
function nextRow(
  run: WindowRun,
  row: number,
  x: Float32Array,
  evaluated: Evaluated,
  noise: Float32Array | null,
): Float32Array {
  const { matrix, process, context, eta } = run.plan;
  const next = x.slice();
  forEachFrame(run, evaluated, (frame, start, output) => {
    if (frame < context) return;
    const [from, to] = [matrix[row][frame - context], matrix[row + 1][frame - context]];
    if (from === to) return;
    const part = (array: Float32Array) => array.subarray(start, start + run.frameSize);
    const drawn = eta > 0 && noise !== null ? part(noise) : null;
    next.set(process.step(from, to, eta, part(x), output, drawn), start);
  });
  return next;
}

/** What a frame was when the network last computed it, and its answer, [C, H, W] both. */
interface Belief {
  readonly level: number;
  readonly x: Float32Array;
  readonly output: Float32Array;
}
/** [B F]; null for frames that were never computed, or only clean or as context. */
type Beliefs = readonly (Belief | null)[];

/** A new list: reports of earlier rows hold the one before. The clean frame is only worked out when asked for. */
function withBeliefs(
  run: WindowRun,
  row: number,
  x: Float32Array,
  evaluated: Evaluated,
  before: Beliefs,
): Beliefs {
  const { matrix, context } = run.plan;
  const beliefs = [...before];
  forEachFrame(run, evaluated, (frame, start, output) => {
    const level = frame < context ? 0 : matrix[row][frame - context];
    if (level === 0) return;
    const value = x.subarray(start, start + run.frameSize);
    beliefs[start / run.frameSize] = { level, x: value, output };
  });
  return beliefs;
}

/** Calls `visit` with each computed frame of each clip: where it starts in the window, and its output [C, H, W]. */
function forEachFrame(
  { plan, frameSize, batch = 1 }: WindowRun,
  { frames, output }: Evaluated,
  visit: (frame: number, start: number, output: Float32Array) => void,
): void {
  for (let b = 0; b < batch; b++) {
    frames.forEach((frame, i) => {
      const at = (b * frames.length + i) * frameSize;
      visit(frame, (b * plan.frames + frame) * frameSize, output.subarray(at, at + frameSize));
    });
  }
}

function report(
  { plan, frameSize }: WindowRun,
  row: number,
  before: Float32Array,
  { frames }: Evaluated,
  beliefs: Beliefs,
  after: Float32Array,
): RowReport {
  const belief = () => {
    const out = before.slice();
    beliefs.forEach((believed, i) => {
      const frame = i % plan.frames;
      // Never of a context frame: it has no belief.
      if (believed === null || plan.matrix[row][frame - plan.context] === 0) return;
      out.set(plan.process.clean(believed.level, believed.x, believed.output), i * frameSize);
    });
    return out;
  };
  return {
    row: row + 1,
    rows: plan.rows,
    levels: levelsOfRow(plan, row + 1),
    evaluations: frames.length,
    latents: () => after.slice(),
    belief,
  };
}

function checkOutput(output: Float32Array, length: number): void {
  if (output.length !== length) {
    throw invalid('network output', `${output.length} numbers`, `${length} were asked for`);
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
