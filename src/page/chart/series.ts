/** From runs to the lines of a chart, the rows of a table and the text of a CSV file. Plain data, no drawing. */
import { runColour } from '../colour/runs.ts';
import { css } from '../colour/noise.ts';
import type { Theme } from '../colour/runs.ts';

import type { PerFrame, Run } from '../stores/runs.ts';
import type { Measure, TruthKind } from '../stores/view.ts';
import { words } from '../words.ts';

export interface Series {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly shown: boolean;
  readonly values: PerFrame;
}

export interface What {
  readonly measure: Measure;
  readonly against: TruthKind;
}

export function seriesOf(runs: readonly Run[], shown: string | null, what: What, theme: Theme): Series[] {
  return runs.map((run) => ({
    id: run.id,
    name: runName(run),
    colour: css(runColour(run.order, theme)),
    shown: run.id === shown,
    values: run.measures[what.against][what.measure],
  }));
}

/** `1 sequential, 8 steps`; the recorded run has no number. */
export function runName(run: Run): string {
  const { mode, steps, lag } = run.settings;
  const name = words.runNames(mode, steps, lag);
  return run.order < 0 ? words.recorded : `${run.order + 1} ${name}`;
}

/** Decimals that a measure is shown with: a hundredth of a decibel, a ten-thousandth of a similarity. */
export const DECIMALS: Record<Measure, number> = { psnr: 2, ssim: 4 };

export function format(value: number | null, measure: Measure): string {
  if (value === null) return '';
  return value.toFixed(DECIMALS[measure]);
}

/** Frames that at least one run has a value for. */
export function measuredFrames(series: readonly Series[]): number[] {
  const last = Math.max(0, ...series.map(({ values }) => values.length));
  return Array.from({ length: last }, (_, frame) => frame).filter((frame) =>
    series.some(({ values }) => (values[frame] ?? null) !== null),
  );
}

/** A line for each run and frame with every measure, whatever is on the chart; numbers in full. */
export function toCsv(runs: readonly Run[]): string {
  const head = 'run,clip,mode,lag,steps,history_noise,eta,seed,frame,truth,psnr_db,ssim';
  const lines = runs.flatMap((run) => {
    const { clip, mode, lag, steps, stabilisation, eta, seed } = run.settings;
    const name = run.order < 0 ? words.recorded : String(run.order + 1);
    const start = [name, clip, mode, mode === 'lag' ? lag : '', steps, stabilisation, eta, seed];
    return (['pixels', 'reconstruction'] as const).flatMap((truth) =>
      run.measures[truth].psnr.flatMap((psnr, frame) =>
        psnr === null
          ? []
          : [[...start, frame, truth, psnr, run.measures[truth].ssim[frame] ?? ''].join(',')],
      ),
    );
  });
  return `${[head, ...lines].join('\n')}\n`;
}
