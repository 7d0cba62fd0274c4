import { describe, expect, it } from 'vitest';
import { readReferenceText, referenceArrays, referencePath } from '../testing/reference.ts';
import { PUBLISHED } from '../testing/process.ts';
import { levelsOfRow, timestepsOfRow, windowPlan } from './plan.ts';
import { matrixOf, rowsToRun } from './scheduling-matrix.ts';
import type { SchedulingMode } from './scheduling-matrix.ts';

interface MatrixCase {
  index: number;
  mode: SchedulingMode;
  steps: number;
  frames: number;
  context: number;
  rows: number;
}

const golden = 'diffusion/matrices.npz';

it.skipIf(referencePath(golden) === null)('the named schedules equal the reference, level by level', () => {
  const expected = referenceArrays(golden);
  const cases = JSON.parse(readReferenceText('diffusion/matrices.json')!) as MatrixCase[];
  expect(cases.length).toBeGreaterThan(0);
  for (const { index, mode, steps, frames, context, rows } of cases) {
    const plan = windowPlan({
      diffusion: PUBLISHED,
      mode,
      steps,
      frames,
      context,
      stabilisation: 0,
      eta: 0,
      keep: null,
    });
    const flat = (name: string) => [...(expected.get(name).data as BigInt64Array)].map(Number);
    const all = Array.from({ length: rows }, (_, row) => row);
    // the reference counts spaced steps from 0, with -1 for clean
    expect(all.flatMap((row) => levelsOfRow(plan, row)).map((level) => level! - 1)).toEqual(
      flat(`spaced_${index}`),
    );
    expect(all.flatMap((row) => timestepsOfRow(plan, row))).toEqual(flat(`base_${index}`));
    expect(plan.matrix.length).toBe(rows);
  }
});

describe('the lag rule', () => {
  it('makes full_sequence, pyramid and sequential from lags of 0, 1 and S', () => {
    const named = (mode: SchedulingMode) => matrixOf({ mode, steps: 5, frames: 3 });
    const lag = (lag: number) => matrixOf({ mode: 'lag', lag, steps: 5, frames: 3 });
    expect(named('full_sequence')).toEqual(lag(0));
    expect(named('pyramid')).toEqual(lag(1));
    expect(named('sequential')).toEqual(lag(5));
  });

  it('lets every frame fall by at most one a row, each frame `lag` rows after the one before', () => {
    const matrix = matrixOf({ mode: 'lag', lag: 3, steps: 4, frames: 3 });
    expect(matrix.map((row) => row.join('')).join(' ')).toBe('444 344 244 144 034 024 014 003 002 001 000');
  });

  it('refuses a matrix that would fill the memory', () => {
    expect(() => matrixOf({ mode: 'lag', lag: 1e15, steps: 8, frames: 3 })).toThrow(
      'invalid matrix: 2000000000000009 rows of 3 frames; take fewer steps, fewer frames or a smaller lag',
    );
    expect(() => matrixOf({ mode: 'sequential', steps: 1000, frames: 4095 })).toThrow(/^invalid matrix: /);
  });

  it('may lag by more than S: the window waits between frames', () => {
    expect(matrixOf({ mode: 'lag', lag: 3, steps: 1, frames: 2 }).map((row) => row.join(''))).toEqual([
      '11',
      '01',
      '01',
      '01',
      '00',
    ]);
  });

  it('stops at the first row in which the kept frames are clean', () => {
    const matrix = matrixOf({ mode: 'pyramid', steps: 6, frames: 4 });
    expect([1, 2, 4].map((keep) => rowsToRun(matrix, keep))).toEqual([6, 7, 9]);
  });

  it('refuses missing, negative and broken lags', () => {
    for (const lag of [null, -1, 1.5, NaN]) {
      expect(() => matrixOf({ mode: 'lag', lag, steps: 4, frames: 3 })).toThrow('invalid lag');
    }
  });
});

describe('an explicit matrix', () => {
  const of = (...rows: number[][]) => matrixOf({ mode: 'matrix', matrix: rows, steps: 2, frames: 2 });

  it('may wait and skip levels', () => {
    const matrix = [
      [2, 2],
      [2, 1],
      [0, 1],
      [0, 0],
    ];
    expect(of(...matrix)).toEqual(matrix);
  });

  it.each([
    [[], 'invalid matrix: 0 rows; '],
    [[[2, 2]], 'invalid matrix: 1 rows; '],
    [[[2, 2], [0]], 'invalid matrix: 1 columns in row 1; give 2, one for each frame'],
    [
      [
        [2, 2],
        [1, 3],
        [0, 0],
      ],
      'invalid matrix: level 3 in row 1, frame 1; levels go from 0 (clean) to 2',
    ],
    [
      [
        [2, 2],
        [1, -1],
        [0, 0],
      ],
      'level -1 in row 1',
    ],
    [
      [
        [2, 2],
        [1, 0.5],
        [0, 0],
      ],
      'level 0.5 in row 1',
    ],
    [
      [
        [2, 2],
        [0, 1],
        [1, 1],
        [0, 0],
      ],
      'level 1 in row 2, frame 0; it rises from 0',
    ],
    [
      [
        [1, 2],
        [0, 0],
      ],
      'level 1 in row 0, frame 0; the first row is pure noise, 2 everywhere',
    ],
    [
      [
        [2, 2],
        [1, 0],
      ],
      'level 1 in row 1, frame 0; the last row is clean',
    ],
  ])('is refused when it is %j', (rows, message) => {
    expect(() => of(...rows)).toThrow(message);
  });
});

it('an unknown mode is named', () => {
  const mode = 'zigzag' as SchedulingMode;
  expect(() => matrixOf({ mode, steps: 4, frames: 3 })).toThrow('unknown mode: zigzag; use full_sequence');
  expect(() => matrixOf({ mode: 'pyramid', steps: 0, frames: 3 })).toThrow('invalid steps: 0');
  expect(() => matrixOf({ mode: 'pyramid', steps: 4, frames: 0 })).toThrow('invalid frames: 0');
});
