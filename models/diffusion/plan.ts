/** Everything about a window that is known before it runs: levels, timesteps, cost. */
import { invalid } from '../errors.ts';
import { noiseProcess } from './process.ts';
import type { ContextLevel, NoiseProcess, ProcessSpec } from './process.ts';
import { matrixOf, rowsToRun } from './scheduling-matrix.ts';
import type { MatrixRequest, SchedulingMatrix } from './scheduling-matrix.ts';

export interface PlanRequest extends Omit<MatrixRequest, 'frames'> {
  readonly diffusion: ProcessSpec;
  /** Frames of the window, context included: F. */
  readonly frames: number;
  readonly context: number;
  /** Level h of the context; 0 is clean. */
  readonly stabilisation: number;
  readonly eta: number;
  /** Generated frames that are kept; null for all of them. */
  readonly keep: number | null;
}

export interface WindowPlan {
  readonly process: NoiseProcess;
  readonly frames: number;
  readonly context: number;
  readonly contextLevel: ContextLevel | null;
  readonly eta: number;
  /** Generated frames that must become clean. */
  readonly keep: number;
  /** Levels of the generated frames, all rows of the schedule [rows + 1][F - context]. */
  readonly matrix: SchedulingMatrix;
  /** Row transitions that are run: network calls. */
  readonly rows: number;
}

/** @throws one sentence for the field that does not fit. */
export function windowPlan(request: PlanRequest): WindowPlan {
  const { frames, context, eta, stabilisation, steps } = request;
  if (!Number.isInteger(context) || context < 0 || context >= frames) {
    throw invalid('context', context, `give a whole number from 0 to ${frames - 1}`);
  }
  if (!(eta >= 0 && eta <= 1)) throw invalid('eta', eta, 'give a number from 0 to 1');
  const generated = frames - context;
  const keep = request.keep ?? generated;
  if (!Number.isInteger(keep) || keep < 1 || keep > generated) {
    throw invalid('keep', keep, `a window generates ${generated} frames; keep 1 to ${generated}`);
  }
  const process = noiseProcess(request.diffusion, steps);
  const matrix = matrixOf({ ...request, frames: generated });
  const contextLevel = context > 0 ? process.contextLevel(stabilisation) : null;
  return { process, frames, context, contextLevel, eta, keep, matrix, rows: rowsToRun(matrix, keep) };
}

/** Level index of a frame of the window in one row, context first; a stabilised context is null in flow. */
export function levelOf(
  { matrix, context, contextLevel }: WindowPlan,
  row: number,
  frame: number,
): number | null {
  if (frame >= context) return matrix[row][frame - context];
  return contextLevel === null ? 0 : contextLevel.level;
}

/** Base timestep of a frame of the window in one row; -1 is clean. */
export function timestepOf(plan: WindowPlan, row: number, frame: number): number {
  const { matrix, context, contextLevel, process } = plan;
  return frame < context ? (contextLevel?.timestep ?? -1) : process.timesteps[matrix[row][frame - context]];
}

/** What the network is given: a clean frame is shown at base timestep 0, the lowest there is. */
export function networkTimestep(plan: WindowPlan, row: number, frame: number): number {
  return Math.max(timestepOf(plan, row, frame), 0);
}

/** Level indices of all F frames in one row. */
export function levelsOfRow(plan: WindowPlan, row: number): (number | null)[] {
  return Array.from({ length: plan.frames }, (_, frame) => levelOf(plan, row, frame));
}

/** Base timesteps of all F frames in one row. */
export function timestepsOfRow(plan: WindowPlan, row: number): number[] {
  return Array.from({ length: plan.frames }, (_, frame) => timestepOf(plan, row, frame));
}
