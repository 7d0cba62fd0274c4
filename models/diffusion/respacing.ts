/** Which of the T training timesteps a run of S steps uses. */
import { invalid } from '../errors.ts';

/** Nearest whole number, halves to the even one, as Python's round does. */
export function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/**
 * Base timesteps of the spaced steps 0..S-1, rising from 0 to T - 1. A float64 cursor adds the
 * stride S - 1 times, as the reference does: i * stride would round to other steps for some S.
 */
export function timestepMap(total: number, steps: number): number[] {
  checkSteps(steps, total);
  const stride = (total - 1) / (steps - 1);
  const map = [0];
  let cursor = 0;
  for (let i = 1; i < steps; i++) {
    cursor += stride;
    map.push(roundHalfEven(cursor));
  }
  return map;
}

/** @throws one sentence when S is not a whole number from 1 to T. */
function checkSteps(steps: number, total: number): void {
  if (!Number.isInteger(steps) || steps < 1 || steps > total) {
    throw invalid('steps', steps, `give a whole number from 1 to ${total}`);
  }
}
