/**
 * Noise levels by row (a state of the window) and column (a generated frame), as level indices: S
 * is pure noise, 0 clean. One lag rule makes the three named schedules (facts section 4).
 */
import { invalid, unknown } from '../errors.ts';

export const SCHEDULING_MODES = ['full_sequence', 'pyramid', 'sequential'] as const;
export type SchedulingMode = (typeof SCHEDULING_MODES)[number] | 'lag' | 'matrix';
/** [rows][frames]. */
export type SchedulingMatrix = readonly (readonly number[])[];

export interface MatrixRequest {
  readonly mode: SchedulingMode;
  /** With mode 'lag'. */
  readonly lag?: number | null;
  /** With mode 'matrix'; checked. */
  readonly matrix?: SchedulingMatrix | null;
  /** S. */
  readonly steps: number;
  /** Frames to generate: n. */
  readonly frames: number;
}

/** Levels in a matrix, rows x frames: 1000 steps of 64 frames one after another; beyond it memory runs out. */
const MOST_LEVELS = 4_000_000;

/** The scheduling matrix asked for; the first row is all S, the last all 0. */
export function matrixOf(request: MatrixRequest): SchedulingMatrix {
  const { mode, steps, frames } = request;
  if (!Number.isInteger(steps) || steps < 1) {
    throw invalid('steps', steps, 'give a whole number of at least 1');
  }
  if (!Number.isInteger(frames) || frames < 1) {
    throw invalid('frames', frames, 'give at least one frame to generate');
  }
  switch (mode) {
    case 'full_sequence':
      return lagMatrix(0, steps, frames);
    case 'pyramid':
      return lagMatrix(1, steps, frames);
    case 'sequential':
      return lagMatrix(steps, steps, frames);
    case 'lag':
      return lagMatrix(request.lag ?? NaN, steps, frames);
    case 'matrix':
      return checkMatrix(request.matrix ?? [], steps, frames);
    default:
      throw unknown('mode', mode satisfies never, `use ${SCHEDULING_MODES.join(', ')}, lag or matrix`);
  }
}

/** level(r, f) = clamp(S - (r - f L), 0, S), rows r = 0 .. S + L (n - 1). */
function lagMatrix(lag: number, steps: number, frames: number): SchedulingMatrix {
  if (!Number.isInteger(lag) || lag < 0) {
    throw invalid('lag', lag, 'give a whole number of rows, 0 or more');
  }
  const rows = steps + lag * (frames - 1) + 1;
  if (rows * frames > MOST_LEVELS) {
    throw invalid(
      'matrix',
      `${rows} rows of ${frames} frames`,
      'take fewer steps, fewer frames or a smaller lag',
    );
  }
  const level = (row: number, frame: number) => Math.min(Math.max(steps - row + frame * lag, 0), steps);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: frames }, (_, frame) => level(row, frame)),
  );
}

/** Levels may wait and may skip, but not rise; noise at the start, clean at the end. */
function checkMatrix(matrix: SchedulingMatrix, steps: number, frames: number): SchedulingMatrix {
  if (matrix.length < 2) {
    throw invalid('matrix', `${matrix.length} rows`, 'give at least the first row of noise and a clean one');
  }
  matrix.forEach((row, r) => {
    if (row.length !== frames) {
      throw invalid('matrix', `${row.length} columns in row ${r}`, `give ${frames}, one for each frame`);
    }
    row.forEach((level, f) => {
      const place = `level ${level} in row ${r}, frame ${f}`;
      if (!Number.isInteger(level) || level < 0 || level > steps) {
        throw invalid('matrix', place, `levels go from 0 (clean) to ${steps}`);
      }
      if (r > 0 && level > matrix[r - 1][f]) {
        throw invalid('matrix', place, `it rises from ${matrix[r - 1][f]}; noise can only be taken away`);
      }
      if (r === 0 && level !== steps) {
        throw invalid('matrix', place, `the first row is pure noise, ${steps} everywhere`);
      }
      if (r === matrix.length - 1 && level !== 0) {
        throw invalid('matrix', place, 'the last row is clean, 0 everywhere');
      }
    });
  });
  return matrix;
}

/** Row transitions until the first `keep` frames are clean: network calls of a window. */
export function rowsToRun(matrix: SchedulingMatrix, keep: number): number {
  return matrix.findIndex((row) => row.slice(0, keep).every((level) => level === 0));
}
