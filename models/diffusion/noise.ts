/** Where a rollout's noise comes from: a seed, or arrays that are given. */
import { seededNormals } from '../array/random.ts';
import { torchNormals } from '../array/torch-random.ts';
import { invalid, missing } from '../errors.ts';
import type { WindowPlan } from './plan.ts';
import type { WindowNoise } from './sampler.ts';

/** Makes the noise of each window in turn: windows must be asked for in order. */
export type NoiseSource = (window: number, plan: WindowPlan) => WindowNoise;

/**
 * Seeded noise: our own generator, or PyTorch's. One stream over all windows; in each window the
 * context first (when stabilised), then the window, then one draw a row (facts section 5).
 */
export function seededNoise(kind: 'playground' | 'torch-cpu', seed: number, frameSize: number): NoiseSource {
  const normals = kind === 'torch-cpu' ? torchNormals(seed) : seededNormals(seed);
  return (_window, { frames, context }) => ({
    context: () => normals(context * frameSize),
    initial: () => normals(frames * frameSize),
    step: () => normals(frames * frameSize),
  });
}

/** An array and its shape; the first axis (windows) may be absent for one window. */
export interface NoiseArray {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Noise from outside: `rollout --noise` (design.md section 3). */
export interface GivenNoise {
  /** [windows, F, C, h, w]. */
  readonly initial: NoiseArray;
  /** [windows, context, C, h, w]; needed when the context is stabilised. */
  readonly context?: NoiseArray;
  /** [windows, rows, F, C, h, w]; needed with eta above 0. */
  readonly steps?: NoiseArray;
}

/**
 * @param frame shape of one frame's latents [C, h, w]
 * @param windows how many windows the rollout has
 * @throws one sentence that names the array, its shape and the shape it should have
 */
export function givenNoise(given: GivenNoise, frame: readonly number[], windows: number): NoiseSource {
  const slice = (name: keyof GivenNoise, window: number, inner: readonly number[]) => {
    const array = given[name];
    if (!array) throw missing('noise', name, 'this run needs it; give it or change the sampler');
    return sliceWindow(array, name, window, windows, inner);
  };
  return (window, { frames, context, rows, eta }) => {
    const steps = eta > 0 ? slice('steps', window, [-rows, frames, ...frame]) : null;
    const size = frames * product(frame);
    return {
      context: () => slice('context', window, [context, ...frame]),
      initial: () => slice('initial', window, [frames, ...frame]),
      step: (row) => steps && steps.subarray(row * size, (row + 1) * size),
    };
  };
}

/** The part of `window`; a negative side in `inner` means at least that many. */
function sliceWindow(
  { shape, data }: NoiseArray,
  name: string,
  window: number,
  windows: number,
  inner: readonly number[],
): Float32Array {
  const batched = shape.length === inner.length + 1;
  const own = batched ? shape.slice(1) : shape;
  const fits =
    own.length === inner.length &&
    own.every((side, i) => (inner[i] < 0 ? side >= -inner[i] : side === inner[i])) &&
    (batched ? shape[0] : 1) === windows;
  if (!fits) {
    const wanted = [...(windows > 1 || batched ? [windows] : []), ...inner.map(Math.abs)].join(', ');
    throw invalid(`${name} noise`, `shape [${shape.join(', ')}]`, `this run needs [${wanted}]`);
  }
  const size = product(own);
  return data.subarray(window * size, (window + 1) * size);
}

function product(sides: readonly number[]): number {
  return sides.reduce((a, b) => a * b, 1);
}
