/** The network as the sampler calls it: the whole window each time, or what changes beside a memory of the rest. */
import { missing } from '../errors.ts';
import { cachedCalls, memorySlots } from './cache-plan.ts';
import { networkTimestep } from './plan.ts';
import type { WindowPlan } from './plan.ts';

/**
 * One call of the `window` graph: `x` [B, F, C, H, W], `timesteps` [B, F] (base timesteps),
 * `actions` [B, F, A] -> output [B, F, C, H, W].
 */
export type Denoiser = (
  x: Float32Array,
  timesteps: Float32Array,
  actions: Float32Array,
) => Promise<Float32Array>;

/** The `cached` graph of a causal model. */
export interface CachedDenoiser {
  /** An empty memory for one window of `batch` clips. One is open at a time: close it before the next. */
  open(size: MemorySize): FrameMemory;
}

export interface MemorySize {
  /** B. */
  readonly batch: number;
  /** Frames 0 to `slots` - 1 of the window may be remembered. */
  readonly slots: number;
}

/** Keys and values of the frames of one window; where they lie is the denoiser's own business. */
export interface FrameMemory {
  /** Output for the N frames of `request`, [B, N, C, H, W]. */
  call(request: CachedRequest): Promise<Float32Array>;
  close(): void;
}

export interface CachedRequest {
  /** [B, N, C, H, W]. */
  readonly x: Float32Array;
  /** [B, N], base timesteps. */
  readonly timesteps: Float32Array;
  /** [B, N, A]: the action before each frame; zeros for frame 0, which has none. */
  readonly actions: Float32Array;
  /** Places of the N frames in the window, rising. */
  readonly frames: readonly number[];
  /** Remembered frames that each of the N sees as far as they stand before it. */
  readonly seen: readonly number[];
  /** Of `frames`: those to remember from now on, in the place of what was remembered of them. */
  readonly kept: readonly number[];
}

/** The networks that can serve a window; the cached one does when it is there. */
export interface Networks {
  readonly denoise: Denoiser | null;
  readonly cached?: CachedDenoiser | null | undefined;
  /** Why the cached one is not there although the bundle has it: a sentence. */
  readonly refused?: string | null | undefined;
}

/** Which graph runs, and a sentence when it is not the cached one. */
export interface GraphChoice {
  readonly graph: 'cached' | 'window';
  readonly reason: string | null;
}

/**
 * The cached graph wherever it can serve.
 * @throws missing graph, when the one that is needed is not there.
 */
export function chooseGraph(causal: boolean, { denoise, cached, refused }: Networks): GraphChoice {
  if (causal && cached) return { graph: 'cached', reason: null };
  if (!denoise) throw missing('graph', 'window.onnx', 'build the bundle again, or choose another');
  return { graph: 'window', reason: causal ? (refused ?? NOT_THERE) : NOT_CAUSAL };
}

const NOT_CAUSAL =
  'Every frame is computed in every row, because this model is not causal: each frame depends on those after it.';
const NOT_THERE =
  'Every frame is computed in every row, because this bundle has no cached.onnx; build it again to get one.';

/** What the network gave in one row. */
export interface Evaluated {
  /** Frames of the window that were computed, rising: N of them; every kept frame that changes is among them. */
  readonly frames: readonly number[];
  /** [B, N, C, H, W]. */
  readonly output: Float32Array;
}

/** One window's network, row by row, whichever graph is behind it. */
export interface WindowNetwork {
  /** @param x the window before the transition out of `row`, [B, F, C, H, W] */
  evaluate(row: number, x: Float32Array): Promise<Evaluated>;
  close(): void;
}

export interface NetworkWindow extends Networks {
  readonly plan: WindowPlan;
  /** [B, F, A]. */
  readonly actions: Float32Array;
  readonly batch: number;
}

/** @throws missing graph, when there is no network at all. */
export function openNetwork({ denoise, cached, plan, actions, batch }: NetworkWindow): WindowNetwork {
  if (cached) return onCached(cached, plan, actions, batch);
  if (denoise) return onWindow(denoise, plan, actions, batch);
  throw missing('graph', 'window.onnx', 'build the bundle again, or choose another');
}

function onWindow(denoise: Denoiser, plan: WindowPlan, actions: Float32Array, batch: number): WindowNetwork {
  const frames = Array.from({ length: plan.frames }, (_, frame) => frame);
  return {
    evaluate: async (row, x) => {
      const timesteps = frames.map((frame) => networkTimestep(plan, row, frame));
      return { frames, output: await denoise(x, repeated(timesteps, batch), actions) };
    },
    close: () => undefined,
  };
}

function onCached(
  cached: CachedDenoiser,
  plan: WindowPlan,
  actions: Float32Array,
  batch: number,
): WindowNetwork {
  const calls = cachedCalls(plan);
  const memory = cached.open({ batch, slots: memorySlots(calls) });
  return {
    evaluate: async (row, x) => {
      const { compute, seen, kept } = calls[row];
      const frames = compute.map(({ frame }) => frame);
      if (frames.length === 0) return { frames, output: new Float32Array() };
      const timesteps = compute.map(({ timestep }) => timestep);
      const before = frames.map((frame) => frame - 1);
      const output = await memory.call({
        x: gathered(x, frames, plan.frames, batch),
        timesteps: repeated(timesteps, batch),
        actions: gathered(actions, before, plan.frames, batch),
        frames,
        seen,
        kept,
      });
      return { frames, output };
    },
    close: () => memory.close(),
  };
}

/** Rows `places` of each clip in `all` [B, rows, ...]; zeros for a place before the first. */
function gathered(all: Float32Array, places: readonly number[], rows: number, batch: number): Float32Array {
  const size = all.length / (batch * rows);
  const out = new Float32Array(batch * places.length * size);
  for (let b = 0; b < batch; b++) {
    places.forEach((place, i) => {
      if (place < 0) return;
      const start = (b * rows + place) * size;
      out.set(all.subarray(start, start + size), (b * places.length + i) * size);
    });
  }
  return out;
}

/** [B, N] from the N values that all clips share. */
function repeated(values: readonly number[], batch: number): Float32Array {
  const out = new Float32Array(batch * values.length);
  for (let b = 0; b < batch; b++) out.set(values, b * values.length);
  return out;
}
