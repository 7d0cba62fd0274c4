import { describe, expect, it } from 'vitest';
import { defaultSpec } from '../../../models/run.ts';
import type { SamplerSpec } from '../../../models/run.ts';
import { exampleManifest } from '../../../models/testing/manifest.ts';
import { cellWords, progressWords, scheduleWords } from '../words/schedule.ts';
import { estimateSeconds } from './estimate.ts';
import { activeRows, planOf } from './plan.ts';

const manifest = exampleManifest();
const plan = (sampler: Partial<SamplerSpec>, horizon = 4) => {
  const spec = defaultSpec(manifest);
  return planOf(
    { ...spec, horizon, keep: horizon > 4 ? 1 : null, sampler: { ...spec.sampler, steps: 8, ...sampler } },
    manifest,
  );
};

describe('a plan', () => {
  it('costs a call a row and a window of frames a call', () => {
    expect(plan({ mode: 'sequential' })).toMatchObject({
      networkCalls: 24,
      frameEvaluations: 96,
      windows: 1,
    });
    expect(plan({ mode: 'pyramid' })).toMatchObject({ networkCalls: 10, frameEvaluations: 40 });
    expect(plan({ mode: 'full_sequence' })).toMatchObject({ networkCalls: 8, frameEvaluations: 32 });
  });

  it('costs only the frames that must be computed where the bundle has a cached graph', () => {
    const { denoiser } = manifest;
    const cached = { ...manifest, denoiser: { ...denoiser!, graphs: { cached: 'cached.onnx' } } } as const;
    const spec = { ...defaultSpec(cached), horizon: 4, keep: null };
    const of = (mode: 'sequential' | 'pyramid') =>
      planOf({ ...spec, sampler: { ...spec.sampler, mode, steps: 8 } }, cached);
    const { networkCalls, frameEvaluations } = of('sequential');
    expect({ networkCalls, frameEvaluations }).toEqual({ networkCalls: 24, frameEvaluations: 1 + 24 + 2 });
    // What is not computed is believed as before, and not decoded again (counted in runs of the maze model).
    expect(of('sequential').beliefFrames).toBe(4 + 23);
    expect(of('pyramid').beliefFrames).toBe(27);
  });

  it('shows only the rows that are computed when one frame is kept of each window', () => {
    const long = plan({ mode: 'sequential' }, 6);
    expect(long.windows).toBe(5);
    expect(long.levels).toHaveLength(9);
    expect(long.networkCalls).toBe(40);
  });

  it('has a row for the start and one for each call, context first', () => {
    const { levels, context } = plan({ mode: 'pyramid', stabilisation: 0 });
    expect(context).toBe(1);
    expect(levels).toHaveLength(11);
    expect(levels[0]).toEqual([0, 8, 8, 8]);
    expect(levels[10]).toEqual([0, 0, 0, 0]);
  });
});

describe('activeRows', () => {
  it('tells from which row to which a frame is denoised', () => {
    const { levels } = plan({ mode: 'sequential' });
    expect([1, 2, 3].map((frame) => activeRows(levels, frame))).toEqual([
      [0, 8],
      [8, 16],
      [16, 24],
    ]);
    expect(activeRows(levels, 0)).toBeNull();
  });
});

describe('words of a schedule', () => {
  it('say when each frame is denoised', () => {
    expect(scheduleWords(plan({ mode: 'sequential' }))).toBe(
      '24 rows. Frame 1 in rows 1 to 8, frame 2 in rows 9 to 16, frame 3 in rows 17 to 24.',
    );
    expect(scheduleWords(plan({ mode: 'full_sequence' }))).toBe(
      '8 rows. Frames 1 to 3 are denoised together in rows 1 to 8.',
    );
    expect(scheduleWords(plan({ mode: 'sequential' }, 6))).toBe(
      '5 windows of 8 rows. Frame 1 is denoised in rows 1 to 8. Of what came before, each window sees the last frame alone, and so no velocity.',
    );
  });

  it('say what a cell holds', () => {
    const sequential = plan({ mode: 'sequential' });
    expect(cellWords(sequential, 0, 1)).toBe('frame 1, row 0: level 8 of 8, timestep 999, ᾱ 0');
    expect(cellWords(sequential, 8, 1)).toBe('frame 1, row 8: level 0 of 8, clean');
    expect(cellWords(sequential, 3, 0)).toBe('frame 0: context, held at timestep 0');
    expect(cellWords(plan({ stabilisation: 0 }), 3, 0)).toBe('frame 0: context, clean in every row');
  });

  it('say how far a run is, in frames and steps', () => {
    const common = { before: 0, total: 3, steps: 8, context: 1, secondsLeft: 0.62 };
    expect(progressWords({ ...common, row: 12, rows: 24, levels: [1, 0, 4, 8] })).toBe(
      'frame 2 of 3, step 5 of 8, 0.62 s left',
    );
    expect(progressWords({ ...common, row: 8, rows: 24, levels: [1, 0, 8, 8] })).toBe(
      'frame 2 of 3, step 1 of 8, 0.62 s left',
    );
    expect(progressWords({ ...common, row: 4, rows: 10, levels: [1, 4, 5, 6], secondsLeft: null })).toBe(
      'frames 1 to 3 of 3, row 5 of 10',
    );
    const sliding = { ...common, before: 4, total: 6, secondsLeft: 3 };
    expect(progressWords({ ...sliding, row: 0, rows: 8, levels: [1, 8, 8, 8] })).toBe(
      'frame 5 of 6, step 1 of 8, 3.0 s left',
    );
    // The window reaches past the end of the rollout; what lies there is not spoken of.
    expect(progressWords({ ...sliding, row: 2, rows: 9, levels: [1, 6, 7, 8] })).toBe(
      'frames 5 to 6 of 6, row 3 of 9, 3.0 s left',
    );
  });
});

describe('an estimate', () => {
  const speed = { networkFrame: 0.1, decodeFrame: 0.01, encodeFrame: 0.02 };

  it('counts every frame that is computed and every one that is encoded or decoded', () => {
    const sequential = plan({ mode: 'sequential' });
    // 8 rows each with 3, 2 and 1 frames that are not clean yet, and the context once.
    expect(sequential.beliefFrames).toBe(8 * (3 + 2 + 1) + 1);
    expect(estimateSeconds(sequential, 4, speed)).toBeCloseTo(4 * 0.02 + 96 * 0.1 + (49 + 4 + 4) * 0.01, 9);
  });

  it('leaves out what a longer clip has beyond the rollout', () => {
    const short = plan({ mode: 'sequential' });
    expect(estimateSeconds(short, 12, speed)).toBe(estimateSeconds(short, 4, speed));
    expect(estimateSeconds(short, 2, speed)).toBeLessThan(estimateSeconds(short, 4, speed));
  });

  it('is corrected by what runs took', () => {
    const sequential = plan({ mode: 'sequential' });
    expect(estimateSeconds(sequential, 4, speed, 2)).toBeCloseTo(
      2 * estimateSeconds(sequential, 4, speed),
      9,
    );
  });
});
