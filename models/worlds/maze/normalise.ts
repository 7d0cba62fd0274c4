/** What actions are normalised with (facts/worlds.md section 1); bundle/actions.ts does it. */
import { invalid } from '../../errors.ts';

/** Of the raw 2-D actions, over every environment step of a training set. */
export interface ActionStatistics {
  readonly mean: readonly [number, number];
  /** Sample standard deviation (n - 1), without the 1e-6. */
  readonly std: readonly [number, number];
}

/**
 * Mean and sample deviation of `actions`: 2-D actions one after the other, [n, 2] or [T, 10] alike.
 * @throws invalid actions: an odd count, or fewer than two actions
 */
export function actionStatistics(actions: Float32Array): ActionStatistics {
  const n = actions.length / 2;
  if (!Number.isInteger(n) || n < 2)
    throw invalid('number of action values', actions.length, 'give at least two 2-D actions');
  const mean: [number, number] = [0, 0];
  for (let i = 0; i < actions.length; i++) mean[i & 1] += actions[i] / n;
  const std: [number, number] = [0, 0];
  for (let i = 0; i < actions.length; i++) std[i & 1] += (actions[i] - mean[i & 1]) ** 2 / (n - 1);
  return { mean, std: [Math.sqrt(std[0]), Math.sqrt(std[1])] };
}
