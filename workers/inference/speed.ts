/** The first runs of every graph: they compile, they show whether the numbers are alive, and they are timed. */
import { seededNormals } from '../../models/array/random.ts';
import { sizeOf } from '../../models/array/tensor.ts';
import type { Tensor } from '../../models/array/tensor.ts';
import type { Manifest } from '../../models/bundle/manifest.ts';
import { PlaygroundError } from '../../models/errors.ts';
import { memoriesOf } from '../../models/nanowm/memory.ts';
import type { Graphs } from '../graphs.ts';
import type { Feeds, GraphSession } from '../session.ts';

/** Timed calls after the one that compiles: as many as fit, but no more than MOST. */
const MOST = 5;
/** Seconds that one graph's timed calls may take together; at least one is made. */
const BUDGET = 0.5;
/** Timed calls of a graph once more, when all have been run. */
const AGAIN = 3;
/** Seconds of a call from which on it is not timed again: within one of these the code has been improved. */
const SLOW = 0.25;

/**
 * Seconds of one warm call (median).
 *
 * @param now milliseconds, any origin
 * @throws one sentence when an output is not finite or nothing but zeros, as WebGPU gives where a kernel is
 *   wrong for a device (onnxruntime 26080, 22983, 26367)
 */
export async function warmUp(
  session: GraphSession,
  feeds: Feeds,
  name: string,
  now: () => number,
): Promise<number> {
  for (const [output, tensor] of Object.entries(await session.run(feeds))) {
    const fault = faultOf(tensor);
    if (fault !== null) {
      const sentence = `unsupported device: ${session.runtime} gives ${fault} as ${output} of ${name}; use another backend`;
      throw new PlaygroundError('unsupported', sentence);
    }
  }
  return median(await timed(session, feeds, now, MOST));
}

/**
 * Seconds of one call (median) now that all graphs have been run; those of `warmUp` where it is not less. A browser
 * improves the runtime's code while it runs, and it is the same for all graphs: calls of a run can be several times
 * as fast as the first few.
 *
 * @param seconds as `warmUp` found them
 */
export async function settled(
  session: GraphSession,
  feeds: Feeds,
  seconds: number,
  now: () => number,
): Promise<number> {
  if (seconds >= SLOW) return seconds;
  return Math.min(seconds, median(await timed(session, feeds, now, AGAIN)));
}

/** Seconds of each of at most `most` calls. */
async function timed(
  session: GraphSession,
  feeds: Feeds,
  now: () => number,
  most: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let spent = 0; times.length === 0 || (times.length < most && spent < BUDGET);) {
    const began = now();
    await session.run(feeds);
    const seconds = (now() - began) / 1000;
    times.push(seconds);
    spent += seconds;
  }
  return times;
}

/** What no working graph gives for the inputs below; null when all is well. */
export function faultOf({ data }: Pick<Tensor, 'data'>): string | null {
  const values = data as Float32Array;
  if (!values.every(Number.isFinite)) return 'numbers that are not finite';
  return values.some((value) => value !== 0) ? null : 'nothing but zeros';
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Inputs as a run would give them: seeded noise, for one window, for one frame beside its context, for one picture. */
export function warmUpFeeds(manifest: Manifest): Record<keyof Graphs, Feeds> {
  const normals = seededNormals(0);
  const noise = (...shape: number[]): Tensor<'float32'> => ({
    dtype: 'float32',
    shape,
    data: normals(sizeOf(shape)),
  });
  const { denoiser, diffusion, codec } = manifest;
  const {
    frames = 1,
    channels = 1,
    latentHeight = 1,
    latentWidth = 1,
    actionWidth = 1,
  } = denoiser?.architecture ?? {};
  const [height, width] = codec?.imageSize ?? [1, 1];
  const middle = Math.floor((diffusion?.steps ?? 0) / 2);
  const factor = codec?.downsampling ?? 1;
  return {
    window: {
      x: noise(1, frames, channels, latentHeight, latentWidth),
      timesteps: { dtype: 'float32', shape: [1, frames], data: new Float32Array(frames).fill(middle) },
      actions: noise(1, frames, actionWidth),
    },
    cached: denoiser ? besideContext(denoiser, noise, middle) : {},
    encode: { pixels: noise(1, 3, height, width) },
    decode: { latents: noise(1, codec?.channels ?? 1, height / factor, width / factor) },
  };
}

/** One frame, and a memory of the context: zeros, because noise for a large model's takes seconds to make. */
function besideContext(
  { architecture, context }: NonNullable<Manifest['denoiser']>,
  noise: (...shape: number[]) => Tensor<'float32'>,
  timestep: number,
): Feeds {
  const { channels, latentHeight, latentWidth, actionWidth } = architecture;
  const row = (...data: number[]): Tensor<'float32'> => ({
    dtype: 'float32',
    shape: [data.length],
    data: Float32Array.from(data),
  });
  const feeds: Record<string, Tensor> = {
    x: noise(1, 1, channels, latentHeight, latentWidth),
    timesteps: { ...row(timestep), shape: [1, 1] },
    positions: row(context),
    actions: noise(1, 1, actionWidth),
    past_positions: row(...Array.from({ length: context }, (_, frame) => frame)),
  };
  for (const { past, width } of memoriesOf(architecture)) {
    const data = new Float32Array(context * width);
    feeds[past] = { dtype: 'float32', shape: [1, context, width], data };
  }
  return feeds;
}
