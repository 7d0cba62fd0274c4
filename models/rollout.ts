/** A whole run: encode, sample window by window, decode, measure. Everything that computes is passed in. */
import { networkActions } from './bundle/actions.ts';
import { picturesMissing } from './bundle/latents.ts';
import { requireDenoiser } from './bundle/manifest.ts';
import type { DenoiserManifest, Manifest } from './bundle/manifest.ts';
import type { Clip } from './clip.ts';
import { decodeLatents, encodeFrames } from './codec.ts';
import type { Decoder, Encoder } from './codec.ts';
import { chooseGraph } from './diffusion/denoiser.ts';
import type { Networks } from './diffusion/denoiser.ts';
import { givenNoise, seededNoise } from './diffusion/noise.ts';
import type { GivenNoise } from './diffusion/noise.ts';
import { levelsOfRow } from './diffusion/plan.ts';
import type { PlanRequest, WindowPlan } from './diffusion/plan.ts';
import type { RowReport } from './diffusion/sampler.ts';
import { sampleSliding, windowPlans } from './diffusion/sliding.ts';
import { invalid, missing, unsupported } from './errors.ts';
import { measureFrames } from './metrics/measure.ts';
import type { FrameMetrics, Provenance, RunResult, RunSpec } from './run.ts';

export interface RowEvent extends RowReport {
  readonly kind: 'row';
  /** From 0. */
  readonly window: number;
  readonly windows: number;
}
export type RolloutEvent =
  /** The clip's frames as the codec gives them back, uint8 [t, H, W, 3]. */
  { readonly kind: 'encoded'; readonly reconstruction: Uint8Array } | RowEvent;

/** `cached` runs wherever it can (causal models), `denoise` otherwise; at least one is given. */
export interface RolloutRequest extends Networks {
  readonly manifest: Manifest;
  readonly spec: RunSpec;
  readonly clip: Clip;
  /** Both null for a bundle without a codec, which needs a clip of latents. */
  readonly encode: Encoder | null;
  readonly decode: Decoder | null;
  /** Noise from outside; from the spec's seed when left out. */
  readonly noise?: GivenNoise;
  /** Keep what the network believed in every row. */
  readonly trace?: boolean;
  /** Awaited. */
  readonly onEvent?: (event: RolloutEvent) => void | Promise<void>;
  readonly signal?: { readonly aborted: boolean };
  /** Seconds from any start. */
  readonly clock: () => number;
  /** What ran the graphs, for the result's provenance. */
  readonly device: Pick<Provenance, 'runtime' | 'backend' | 'adapter'>;
}

/** What the spec asks of one window of this bundle, as the sampler takes it. */
function planOfSpec(spec: RunSpec, manifest: Manifest): PlanRequest {
  const { denoiser, diffusion } = requireDenoiser(manifest);
  const { mode, lag, matrix, steps, eta, stabilisation } = spec.sampler;
  const { context, keep } = spec;
  const { frames } = denoiser.architecture;
  return { diffusion, mode, lag, matrix, steps, frames, context, stabilisation, eta, keep };
}

/** The windows of a run: levels, network calls and frame evaluations before it starts. */
export function plansOfSpec(spec: RunSpec, manifest: Manifest): WindowPlan[] {
  return windowPlans(planOfSpec(spec, manifest), spec.horizon);
}

/**
 * Runs `spec` on `clip`.
 * @throws one sentence when clip, noise and bundle do not fit each other; aborted.
 */
export async function rollout(request: RolloutRequest): Promise<RunResult> {
  const { spec, clip, decode, clock, signal, onEvent } = request;
  const manifest = requireDenoiser(request.manifest);
  const { channels, latentHeight, latentWidth } = manifest.denoiser.architecture;
  const plans = plansOfSpec(spec, manifest);
  const choice = chooseGraph(manifest.denoiser.architecture.causal, request);
  checkClip(clip, spec, manifest);
  const began = clock();

  const known = await knownLatents(request, manifest);
  const encoded = clock();
  const codec = decode && manifest.codec ? manifest.codec : null;
  const reconstruction = codec && (await decodeLatents(codec, decode!, known, signal));
  if (reconstruction) await onEvent?.({ kind: 'encoded', reconstruction });
  const reconstructed = clock();

  const trace: Float32Array[] = [];
  const count = { networkCalls: 0, frameEvaluations: 0 };
  const cached = choice.graph === 'cached' ? request.cached : null;
  const latents = await sample({ ...request, cached }, manifest, plans, known, (report) => {
    if (report.evaluations > 0) count.networkCalls++;
    count.frameEvaluations += report.evaluations;
    if (request.trace) trace.push(report.belief());
  });
  const sampled = clock();

  const frames = codec && (await decodeLatents(codec, decode!, latents, signal));
  const decoded = clock();
  const measure = (truth: Uint8Array | null) => frames && truth && measured(frames, truth, manifest, spec);
  const metrics = {
    pixels: measure(clip.pixels?.data ?? null),
    reconstruction: measure(reconstruction),
  };
  const ended = clock();

  const [height, width] = codec?.imageSize ?? [0, 0];
  return {
    version: 1,
    spec,
    latents,
    latentShape: [spec.horizon, channels, latentHeight, latentWidth],
    frames,
    reconstruction,
    frameShape: codec && [spec.horizon, height, width, 3],
    metrics,
    levels: plans.map((plan) => Array.from({ length: plan.rows + 1 }, (_, row) => levelsOfRow(plan, row))),
    ...(request.trace && { trace }),
    timings: {
      encode: encoded - began,
      sample: sampled - reconstructed,
      decode: reconstructed - encoded + (decoded - sampled),
      measure: ended - decoded,
      total: ended - began,
    },
    ...count,
    network: choice,
    provenance: {
      bundle: manifest.id,
      files: Object.fromEntries(Object.entries(manifest.files).map(([name, { sha256 }]) => [name, sha256])),
      noise: request.noise ? 'given' : 'seed',
      ...request.device,
    },
  };
}

/** Scaled latents of the frames that are known, at most the horizon's, [t, C, h, w]. */
async function knownLatents(request: RolloutRequest, manifest: DenoiserManifest): Promise<Float32Array> {
  const { clip, spec, encode, signal } = request;
  const count = Math.min(clip.length, spec.horizon);
  if (clip.latents) return clip.latents.data.subarray(0, count * frameSizeOf(manifest));
  if (!encode || !manifest.codec) {
    if (!manifest.codec && manifest.denoiser.latents) {
      const reason = picturesMissing(manifest)!.replace(/^This/, 'this').replace(/\.$/, '');
      throw unsupported('frames', `in bundle '${manifest.id}'`, reason);
    }
    throw missing('codec', `in bundle '${manifest.id}'`, 'give a clip of latents, or a bundle with a codec');
  }
  const [height, width] = manifest.codec.imageSize;
  const frames = clip.pixels!.data.subarray(0, count * height * width * 3);
  return encodeFrames(manifest.codec, encode, frames, signal);
}

function sample(
  request: RolloutRequest,
  manifest: DenoiserManifest,
  plans: readonly WindowPlan[],
  known: Float32Array,
  onRow: (report: RowReport) => void,
): Promise<Float32Array> {
  const { spec, clip, denoise, cached, noise, signal, onEvent } = request;
  const { channels, latentHeight, latentWidth, actionWidth } = manifest.denoiser.architecture;
  const frameSize = frameSizeOf(manifest);
  const { data, scale } = clip.actions;
  return sampleSliding({
    request: planOfSpec(spec, manifest),
    length: spec.horizon,
    frameSize,
    context: known.slice(0, spec.context * frameSize),
    actions: scale === 'network' ? data : networkActions(manifest, data),
    actionWidth,
    denoise,
    cached,
    noise: noise
      ? givenNoise(noise, [channels, latentHeight, latentWidth], plans.length)
      : seededNoise(spec.noise, spec.seed, frameSize),
    onRow: async (report, window) => {
      onRow(report);
      await onEvent?.({ ...report, kind: 'row', window, windows: plans.length });
    },
    signal,
  });
}

/** Measures of the predicted frames whose truth is known. */
function measured(
  frames: Uint8Array,
  truth: Uint8Array,
  { codec }: DenoiserManifest,
  { context, keep }: RunSpec,
): FrameMetrics[] {
  const [height, width] = codec!.imageSize;
  const skip = context * height * width * 3;
  const measures = measureFrames(frames.subarray(skip), truth.subarray(skip), height, width);
  return measures.map((values, i) => ({
    frame: context + i,
    window: keep === null ? 0 : Math.floor(i / keep),
    ...values,
  }));
}

function frameSizeOf({ denoiser }: DenoiserManifest): number {
  const { channels, latentHeight, latentWidth } = denoiser.architecture;
  return channels * latentHeight * latentWidth;
}

function checkClip(clip: Clip, { context }: RunSpec, { denoiser, codec }: DenoiserManifest): void {
  if (clip.length < context) {
    throw invalid('clip', `${clip.length} frames`, `this run needs ${context} of context`);
  }
  const { actions, latents, pixels } = clip;
  const { actionWidth, channels, latentHeight, latentWidth } = denoiser.architecture;
  if (actions.width !== actionWidth) {
    throw invalid(
      'actions',
      `[${actions.rows}, ${actions.width}]`,
      `this model takes rows of ${actionWidth}`,
    );
  }
  if (latents) {
    const { channels: c, height: h, width: w } = latents;
    if (c !== channels || h !== latentHeight || w !== latentWidth) {
      const wanted = `this model takes [T, ${channels}, ${latentHeight}, ${latentWidth}]`;
      throw invalid('latents', `[${clip.length}, ${c}, ${h}, ${w}]`, wanted);
    }
  }
  if (pixels && codec && (pixels.height !== codec.imageSize[0] || pixels.width !== codec.imageSize[1])) {
    const size = `${pixels.height} x ${pixels.width} pixels`;
    throw invalid(
      'frames',
      size,
      `this bundle takes ${codec.imageSize.join(' x ')}; import the clip at that size`,
    );
  }
}
