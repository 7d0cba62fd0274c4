/** A small causal network in plain numbers, whole and with a memory, to prove the cached path without a graph. */
import { missing } from '../errors.ts';
import type { CachedDenoiser, Denoiser } from '../diffusion/denoiser.ts';

/** Two, so that what a frame is remembered by holds the frames before it, as in a real network. */
const LAYERS = 2;

/** What later frames see of one frame: its values in each layer, and what it was made from. */
type Remembered = readonly Float64Array[];

export interface CausalNetwork {
  readonly denoise: Denoiser;
  readonly cached: CachedDenoiser;
  /** Frames computed by `cached` so far, over all clips of a batch. */
  readonly evaluations: () => number;
  /** Memories that are open. */
  readonly open: () => number;
}

/**
 * The output of frame f depends on values, timesteps, actions and places of all frames up to f, and on
 * nothing else; the same numbers in the same order whole or cached, so both are equal to the last bit.
 * @param frames F
 */
export function causalNetwork(frames: number): CausalNetwork {
  let evaluations = 0;
  let open = 0;
  return {
    evaluations: () => evaluations,
    open: () => open,
    denoise: async (x, timesteps, actions) => {
      const size = x.length / timesteps.length;
      const width = actions.length / timesteps.length;
      const out = new Float32Array(x.length);
      let past: Remembered[] = [];
      for (let i = 0; i < timesteps.length; i++) {
        const frame = i % frames;
        if (frame === 0) past = [];
        // The row of frame 0 is never looked at: it has no action before it.
        const action = actions.subarray((i - 1) * width, i * width);
        const values = x.subarray(i * size, (i + 1) * size);
        const now = compute(values, timesteps[i], frame, frame === 0 ? null : action, past);
        past.push(now);
        out.set(outputOf(now), i * size);
      }
      return out;
    },
    cached: {
      open: ({ batch, slots }) => {
        open++;
        const memories = Array.from({ length: batch }, () => new Array<Remembered | null>(slots).fill(null));
        return {
          close: () => void open--,
          call: async ({ x, timesteps, actions, frames: places, seen, kept }) => {
            const out = new Float32Array(x.length);
            const count = places.length;
            const size = x.length / (batch * count);
            const width = actions.length / (batch * count);
            memories.forEach((memory, b) => {
              const visible = new Map<number, Remembered>();
              for (const place of seen) {
                const remembered = memory[place];
                if (!remembered) throw missing('memory', place, 'the plan sees what was never kept');
                if (places.includes(place)) throw new RangeError(`frame ${place} is seen and computed`);
                visible.set(place, remembered);
              }
              places.forEach((place, i) => {
                const at = b * count + i;
                const before = [...visible].filter(([other]) => other < place).sort(([p], [q]) => p - q);
                const values = x.subarray(at * size, (at + 1) * size);
                const action = actions.subarray(at * width, (at + 1) * width);
                const past = before.map(([, remembered]) => remembered);
                if (past.length !== place) throw new RangeError(`frame ${place} sees ${past.length} frames`);
                const now = compute(values, timesteps[at], place, place === 0 ? null : action, past);
                evaluations++;
                visible.set(place, now);
                if (kept.includes(place)) {
                  if (place >= slots) throw new RangeError(`no room for frame ${place} in ${slots}`);
                  memory[place] = now;
                }
                out.set(outputOf(now), at * size);
              });
            });
            return out;
          },
        };
      },
    },
  };
}

/** All layers of one frame, [C H W] each. */
function compute(
  x: Float32Array,
  timestep: number,
  place: number,
  action: Float32Array | null,
  past: readonly Remembered[],
): Remembered {
  const pushed = action === null ? 0 : action.reduce((sum, value) => sum + value, 0);
  let values = Float64Array.from(x, (value, i) =>
    squash(value + timestep / 700 + 0.3 * place + 0.2 * pushed + 0.1 * i),
  );
  const layers = [values];
  for (let layer = 0; layer < LAYERS; layer++) {
    const mixed = values.map((value, i) => {
      let sum = value;
      past.forEach((frame, other) => (sum += frame[layer][i] / (1 + place - other)));
      return squash(sum + 0.5 * value * sum);
    });
    values = mixed;
    layers.push(values);
  }
  return layers;
}

function outputOf(layers: Remembered): Float32Array {
  return Float32Array.from(layers.at(-1)!);
}

/** Keeps numbers between -1 and 1 by exact operations. */
function squash(value: number): number {
  return value / (1 + Math.abs(value));
}
