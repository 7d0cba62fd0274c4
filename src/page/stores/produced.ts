/** From a result, computed now or recorded once, to a run of the page's list. */
import type { Recording, RecordedResult } from '../../../models/recording.ts';
import type { FrameMetrics } from '../../../models/run.ts';
import { invalid } from '../../../models/errors.ts';
import { words } from '../words.ts';
import type { PerFrame, Run } from './runs.ts';
import type { Frames } from './scene.ts';
import { settingsOf } from './spec.ts';
import type { Settings } from './settings.ts';

/** @throws when the result has no frames: the page shows pictures. */
export function runOf(
  result: RecordedResult,
  facts: Pick<Run, 'id' | 'order' | 'settings' | 'device' | 'recordedOn' | 'beliefs'>,
): Run {
  const { frames, frameShape, reconstruction, metrics, spec, timings } = result;
  if (!frames || !frameShape) throw invalid('run', 'it has no frames', 'choose a bundle that has a codec');
  const [count, height, width] = frameShape;
  const withShape = (data: Uint8Array): Frames => ({
    data,
    count: data.length / (height * width * 3),
    height,
    width,
  });
  return {
    ...facts,
    frames: withShape(frames),
    context: spec.context,
    reconstruction: reconstruction && withShape(reconstruction),
    measures: {
      pixels: perFrame(metrics.pixels, count),
      reconstruction: perFrame(metrics.reconstruction, count),
    },
    seconds: timings.total,
    networkCalls: result.networkCalls,
    frameEvaluations: result.frameEvaluations,
  };
}

export function recordedRun({ result, device, date }: Recording, fallback: Settings): Run {
  const settings = settingsOf(result.spec, fallback);
  return runOf(result, {
    id: `recorded ${settings.clip}`,
    order: -1,
    settings,
    device,
    recordedOn: date,
    beliefs: [],
  });
}

function perFrame(
  metrics: readonly FrameMetrics[] | null,
  count: number,
): { psnr: PerFrame; ssim: PerFrame } {
  const psnr = new Array<number | null>(count).fill(null);
  const ssim = new Array<number | null>(count).fill(null);
  for (const metric of metrics ?? []) {
    psnr[metric.frame] = metric.psnr;
    ssim[metric.frame] = metric.ssim;
  }
  return { psnr, ssim };
}

/** What computed a run, in words. */
export function deviceWords(provenance: RecordedResult['provenance']): string {
  const { backend, adapter, runtime } = provenance;
  return [words.backendNames[backend] ?? backend, adapter, runtime].filter(Boolean).join(', ');
}
