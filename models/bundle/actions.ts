/** Recorded actions as the network takes them. */
import { invalid } from '../errors.ts';
import { requireDenoiser } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/** Added to the standard deviation when dividing (facts/worlds.md section 1). */
const EPSILON = 1e-6;

/**
 * `recorded` [T, A], one row per model frame, normalised in float32 by the bundle's mean and
 * standard deviation, which repeat for each environment step of a frame. A bundle without them
 * takes actions as recorded; then the array itself comes back.
 */
export function networkActions(manifest: Manifest, recorded: Float32Array): Float32Array {
  const { width, perStep, mean, std } = requireDenoiser(manifest).action;
  if (recorded.length % width !== 0) {
    throw invalid('actions', `${recorded.length} numbers`, `give rows of ${width}`);
  }
  if (mean === null || std === null) return recorded;
  const shift = Float32Array.from(mean);
  const divisor = Float32Array.from(std, (deviation) => Math.fround(deviation) + EPSILON);
  return recorded.map((value, i) => Math.fround(value - shift[i % perStep]) / divisor[i % perStep]);
}
