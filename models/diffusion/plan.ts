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

/** Level indices of all F frames in one row, context first; a stabilised context is null in flow. */
export function levelsOfRow({ matrix, context, contextLevel }: WindowPlan, row: number): (number | null)[] {
  const level = contextLevel === null ? 0 : contextLevel.level;
  return [...new Array<number | null>(context).fill(level), ...matrix[row]];
}

/** Base timesteps of all F frames in one row; -1 is clean. */
export function timestepsOfRow(
  { matrix, context, contextLevel, process }: WindowPlan,
  row: number,
): number[] {
  const shown = contextLevel?.timestep ?? -1;
  return [...new Array<number>(context).fill(shown), ...matrix[row].map((level) => process.timesteps[level])];
}

/** What the network is given: a clean frame is shown at base timestep 0, the lowest there is. */
export function networkTimesteps(plan: WindowPlan, row: number): Float32Array {
  return Float32Array.from(timestepsOfRow(plan, row), (timestep) => Math.max(timestep, 0));
}
