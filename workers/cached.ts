/** The `cached` graph as the sampler calls it: the memory lies here, in arrays that all calls share. */
import type { Tensor } from '../models/array/tensor.ts';
import type { Architecture } from '../models/bundle/manifest.ts';
import type { CachedDenoiser, CachedRequest, MemorySize } from '../models/diffusion/denoiser.ts';
import { memoriesOf, NOWHERE } from '../models/nanowm/memory.ts';
import type { Memory } from '../models/nanowm/memory.ts';
import type { GraphSession } from './session.ts';

/** @param session of a graph that `checkOutputs` let pass */
export function cachedDenoiser(session: GraphSession, architecture: Architecture): CachedDenoiser {
  const memories = memoriesOf(architecture);
  let kept: Remembered | null = null;
  return {
    open: (size) => {
      const remembered = fits(kept, size) ? kept : allocated(memories, size);
      kept = remembered;
      // What an earlier window left is hidden, but a number that is not finite would be seen even so.
      for (const { data } of remembered.pasts) data.fill(0);
      return {
        call: (request) => compute(session, architecture, remembered, request),
        // The arrays wait for the next window.
        close: () => undefined,
      };
    },
  };
}

type Floats = Tensor<'float32'>;

interface Remembered {
  readonly size: MemorySize;
  readonly memories: readonly Memory[];
  /** [slots]: frame f in slot f, NOWHERE where it is not to be seen. */
  readonly positions: Floats;
  /** Of each memory, [B, slots, width]. */
  readonly pasts: readonly Floats[];
}

function fits(kept: Remembered | null, { batch, slots }: MemorySize): kept is Remembered {
  return kept?.size.batch === batch && kept.size.slots === slots;
}

function allocated(memories: readonly Memory[], size: MemorySize): Remembered {
  const { batch, slots } = size;
  return {
    size,
    memories,
    positions: tensor(new Float32Array(slots), [slots]),
    pasts: memories.map(({ width }) =>
      tensor(new Float32Array(batch * slots * width), [batch, slots, width]),
    ),
  };
}

/** Output [B, N, C, H, W]; keys and values of the frames to keep are in the memory then. */
async function compute(
  session: GraphSession,
  { channels, latentHeight, latentWidth, actionWidth }: Architecture,
  remembered: Remembered,
  { x, timesteps, actions, frames, seen, kept }: CachedRequest,
): Promise<Float32Array> {
  const { size, memories, positions, pasts } = remembered;
  positions.data.fill(NOWHERE);
  for (const frame of seen) positions.data[frame] = frame;
  const sides = [size.batch, frames.length];
  const feeds: Record<string, Tensor> = {
    x: tensor(x, [...sides, channels, latentHeight, latentWidth]),
    timesteps: tensor(timesteps, sides),
    positions: tensor(Float32Array.from(frames), [frames.length]),
    actions: tensor(actions, [...sides, actionWidth]),
    past_positions: positions,
  };
  memories.forEach(({ past }, i) => (feeds[past] = pasts[i]!));
  const names = kept.length === 0 ? [] : memories.map(({ name }) => name);
  const results = await session.run(feeds, ['output', ...names]);
  memories.forEach(({ name, width }, i) => {
    for (const frame of kept) {
      const from = results[name]!.data as Float32Array;
      for (let b = 0; b < size.batch; b++) {
        const start = (b * frames.length + frames.indexOf(frame)) * width;
        pasts[i]!.data.set(from.subarray(start, start + width), (b * size.slots + frame) * width);
      }
    }
  });
  return results['output']!.data as Float32Array;
}

function tensor(data: Float32Array, shape: readonly number[]): Floats {
  return { dtype: 'float32', shape, data };
}
