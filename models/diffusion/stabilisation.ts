/** History stabilisation: the context is noised once, to a low level, and shown at that level. */
import { invalid } from '../errors.ts';
import { roundHalfEven } from './respacing.ts';

/**
 * The 0-based step, of `count`, that level h in [0, 1) means, or null when h is 0 (clean).
 * `count` is S, or T_s in flow, where the step is a base timestep.
 */
export function stabilisedStep(level: number, count: number): number | null {
  if (!(level >= 0 && level < 1)) {
    throw invalid('stabilisation', level, 'give a level from 0 (off) to below 1');
  }
  return level === 0 ? null : roundHalfEven(level * (count - 1));
}
