/**
 * What the self-test gives to each graph: seeded inputs at the levels that a run has (warm-up's are noise), by the
 * same functions that a run calls the graphs with.
 */
import { seededNormals, seededRandom } from '../../models/array/random.ts';
import { requireDenoiser } from '../../models/bundle/manifest.ts';
import type { Codec, DenoiserManifest, Manifest } from '../../models/bundle/manifest.ts';
import { cachedDenoiser } from '../cached.ts';
import { windowDenoiser } from '../graphs.ts';
import type { Graphs } from '../graphs.ts';
import type { GraphSession } from '../session.ts';

/** Runs a graph on its input; what it gives, batch 1. */
export type Probe = (session: GraphSession) => Promise<Float32Array>;

/** Any number will do; it is not one that warm-up or a run begins with by itself. */
const SEED = 20_240_601;

/**
 * `window` gives all frames [F, C, H, W], `cached` the first context + 1 of the same input, so that one can be held
 * against the other; `encode` gives the mean, `decode` pixels. A probe is only to be called for a graph that the
 * bundle has.
 */
export function probesOf(manifest: Manifest): Record<keyof Graphs, Probe> {
  const sequence = () => sequenceOf(requireDenoiser(manifest));
  return {
    window: (session) => {
      const { x, timesteps, actions } = sequence();
      return windowDenoiser(session, requireDenoiser(manifest).denoiser.architecture)(x, timesteps, actions);
    },
    cached: (session) => throughMemory(session, requireDenoiser(manifest), sequence()),
    encode: async (session) => {
      const [height, width] = manifest.codec!.imageSize;
      const pixels = {
        dtype: 'float32',
        shape: [1, 3, height, width],
        data: picture(height, width),
      } as const;
      return (await session.run({ pixels }, ['mean'])).mean!.data as Float32Array;
    },
    decode: async (session) => {
      const latents = { dtype: 'float32', ...latentsOf(manifest.codec!) } as const;
      return (await session.run({ latents }, ['pixels'])).pixels!.data as Float32Array;
    },
  };
}

interface Sequence {
  /** [F, C, H, W] */
  readonly x: Float32Array;
  /** [F], base timesteps */
  readonly timesteps: Float32Array;
  /** [F, A] */
  readonly actions: Float32Array;
}

/** A window in the middle of its run: context as history stabilisation shows it, then frames ever more noisy. */
function sequenceOf({ denoiser, diffusion, action }: DenoiserManifest): Sequence {
  const { frames, channels, latentHeight, latentWidth, actionWidth } = denoiser.architecture;
  const { context, stabilisation } = denoiser;
  const last = diffusion.steps - 1;
  const timesteps = Float32Array.from({ length: frames }, (_, frame) => {
    const noise = frame < context ? stabilisation : 0.25 + (0.75 * (frame - context)) / (frames - context);
    return Math.round(noise * last);
  });
  // Scaled latents have a standard deviation of about 1, and so has noise: any mixture of them too.
  const x = seededNormals(SEED, 1)(frames * channels * latentHeight * latentWidth);
  const random = seededRandom(SEED, 2);
  const actions =
    // Without mean and deviation actions go in as recorded: keys that are down or up.
    action.mean === null
      ? Float32Array.from({ length: frames * actionWidth }, () => Math.round(random()))
      : seededNormals(SEED, 3)(frames * actionWidth);
  return { x, timesteps, actions };
}

/** The context into the memory, then the frame behind it beside that memory, as a run does it: [context + 1, C, H, W]. */
async function throughMemory(
  session: GraphSession,
  { denoiser: { architecture, context } }: DenoiserManifest,
  { x, timesteps, actions }: Sequence,
): Promise<Float32Array> {
  const { frames: count, actionWidth } = architecture;
  const size = x.length / count;
  const memory = cachedDenoiser(session, architecture).open({ batch: 1, slots: context });
  const compute = (from: number, to: number, seen: readonly number[], keep: boolean) => {
    const frames = range(from, to);
    const before = new Float32Array(frames.length * actionWidth);
    // Row f is the action before frame f; frame 0 has none.
    for (const frame of frames.filter((frame) => frame > 0)) {
      before.set(
        actions.subarray((frame - 1) * actionWidth, frame * actionWidth),
        (frame - from) * actionWidth,
      );
    }
    return memory.call({
      x: x.slice(from * size, to * size),
      timesteps: timesteps.slice(from, to),
      actions: before,
      frames,
      seen,
      kept: keep ? frames : [],
    });
  };
  const out = new Float32Array((context + 1) * size);
  out.set(await compute(0, context, [], true));
  out.set(await compute(context, context + 1, range(0, context), false), context * size);
  memory.close();
  return out;
}

/** [3, H, W] in [-1, 1]: an eight by eight mosaic of flat colours with a little noise, which a world's frames resemble. */
function picture(height: number, width: number): Float32Array {
  const random = seededRandom(SEED, 4);
  const tiles = Float32Array.from({ length: 3 * 8 * 8 }, () => 1.8 * random() - 0.9);
  return Float32Array.from({ length: 3 * height * width }, (_, i) => {
    const [channel, y, x] = [Math.floor(i / (height * width)), Math.floor(i / width) % height, i % width];
    const tile = (channel * 8 + Math.floor((8 * y) / height)) * 8 + Math.floor((8 * x) / width);
    return tiles[tile]! + 0.1 * (random() - 0.5);
  });
}

/** One frame's latents as the denoiser hands them to the codec: of standard deviation 1, unscaled. */
function latentsOf({ channels, imageSize, downsampling, scalingFactor }: Codec) {
  const [height, width] = imageSize.map((side) => side / downsampling) as [number, number];
  const data = seededNormals(SEED, 5)(channels * height * width).map((value) => value / scalingFactor);
  return { shape: [1, channels, height, width], data };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
