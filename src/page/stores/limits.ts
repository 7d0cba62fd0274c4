/** What each setting may be (as RunSpec checks it again), and the places that its slider stops at. */
import { words } from '../words.ts';

type Check = (value: number) => string | null;

const whole =
  (low: number, high: number): Check =>
  (value) =>
    Number.isInteger(value) && value >= low && value <= high ? null : words.wrong.whole(low, high);

const between =
  (low: number, high: number, includesHigh: boolean): Check =>
  (value) =>
    value >= low && (includesHigh ? value <= high : value < high)
      ? null
      : words.wrong.between(low, high, includesHigh);

export const BACKENDS = ['auto', 'webgpu', 'wasm'] as const;

/** Seeds of the dice stay short enough to be read aloud. */
export const DICE = 100_000;

export const LIMITS = {
  lag: whole(0, 1000),
  steps: whole(1, 1000),
  /** @param most frames that there is truth for. */
  horizon: (most: number) => whole(1, most),
  /** The level 1 itself would be pure noise: models/run.ts stops below it. */
  stabilisation: between(0, 0.999, true),
  eta: between(0, 1, true),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
} as const;

const hundredths = (last: number, step: number) =>
  Array.from({ length: last / step + 1 }, (_, i) => (i * step) / 100);

export const STOPS = {
  steps: [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 75, 100, 150, 250],
  stabilisation: [...hundredths(10, 1), 0.15, 0.2, 0.3, 0.4, 0.5],
  eta: hundredths(100, 5),
} as const;

/** Every lag up to sequential, thinned out where there are many. */
export function lagStops(steps: number): readonly number[] {
  const by = Math.ceil(steps / 40);
  const stops = Array.from({ length: Math.floor(steps / by) + 1 }, (_, i) => i * by);
  return [...new Set([0, 1, ...stops, steps])].filter((lag) => lag <= steps).sort((a, b) => a - b);
}

/**
 * Numbers of frames that may be predicted: as many as one window gives, then one more for each window, while
 * the clip has frames to hold them against. (Fewer than a window's are not offered: a window costs the same.)
 */
export function horizonStops(context: number, frames: number, clipLength: number): readonly number[] {
  const most = Math.max(frames, clipLength) - context;
  return Array.from({ length: most - (frames - context) + 1 }, (_, i) => frames - context + i);
}
