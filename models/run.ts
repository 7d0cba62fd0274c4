/** What was asked (RunSpec, a JSON document and a share link) and what came out (RunResult). */
import * as v from 'valibot';
import { requireDenoiser } from './bundle/manifest.ts';
import type { Manifest } from './bundle/manifest.ts';
import type { GraphChoice } from './diffusion/denoiser.ts';
import { matrixOf, SCHEDULING_MODES } from './diffusion/scheduling-matrix.ts';
import { invalid, unsupported } from './errors.ts';
import { finite, oneOf, parseWith, whole } from './schema.ts';

const optional = v.exactOptional;

const samplerSchema = v.strictObject({
  mode: optional(oneOf([...SCHEDULING_MODES, 'lag', 'matrix'])),
  /** Rows by which each frame starts after the one before it; only with mode 'lag'. */
  lag: optional(v.nullable(whole(0, 1000))),
  /**
   * Level indices, a row for each state, a column for each generated frame (context columns in
   * front, which do not change, are taken off); only with mode 'matrix'.
   */
  matrix: optional(v.nullable(v.array(v.array(whole(0, 1000))))),
  /** Denoising steps of one frame: S. */
  steps: optional(whole(1, 1000)),
  spacing: optional(v.string()),
  solver: optional(v.string()),
  /** 0 is deterministic, 1 adds as much noise as DDPM. */
  eta: optional(finite(0, 1)),
  /** Level h at which the context is shown; 0 is clean. */
  stabilisation: optional(finite(0, 0.999)),
  samples: optional(whole(1, 64)),
  refine: optional(v.nullable(v.unknown())),
});

/** A list would pass for an object that says nothing. */
const noList = v.custom<v.InferInput<typeof samplerSchema>>(
  (value) => !Array.isArray(value),
  'it is a list, not an object',
);

const specSchema = v.strictObject({
  version: optional(v.literal(1, 'only version 1 is known')),
  bundle: optional(v.string()),
  clip: optional(v.string()),
  /** Frames that are given: c. */
  context: optional(whole(1, 4095)),
  /** Frames of the whole rollout, context included: T. */
  horizon: optional(whole(2, 10_000)),
  actions: optional(v.string()),
  seed: optional(whole(0, Number.MAX_SAFE_INTEGER)),
  noise: optional(oneOf(['playground', 'torch-cpu'])),
  sampler: optional(v.pipe(noList, samplerSchema)),
  /** Frames kept of each window before it slides; null for one whole window. */
  keep: optional(v.nullable(whole(1, 4095))),
  precision: optional(oneOf(['auto', 'fp32', 'fp16'])),
  backend: optional(oneOf(['auto', 'webgpu', 'wasm', 'node'])),
});

type SpecInput = v.InferOutput<typeof specSchema>;
type Complete<T> = { readonly [K in keyof T]-?: T[K] };

export type SamplerSpec = Complete<Omit<v.InferOutput<typeof samplerSchema>, 'refine'>> & {
  readonly refine: null;
};
export type RunSpec = Complete<Omit<SpecInput, 'sampler'>> & { readonly sampler: SamplerSpec };

/** Measures of one predicted frame against the same frame of a truth. */
export interface FrameMetrics {
  /** Index in the clip; the context's frames come first and are not measured. */
  readonly frame: number;
  /** Window that made it, from 0. */
  readonly window: number;
  /** On frames in [-1, 1]. */
  readonly mse: number;
  /** Decibels, on frames in [0, 1]. */
  readonly psnr: number;
  readonly ssim: number;
}

export interface Provenance {
  readonly bundle: string;
  /** What ran the graphs and on what, as the caller found it. */
  readonly runtime: string;
  readonly backend: string;
  readonly adapter: string;
  /** SHA-256 of the bundle's files by name, as the manifest states them: what exactly computed this. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether the noise came from the spec's seed or was given. */
  readonly noise: 'seed' | 'given';
}

export interface RunResult {
  readonly version: 1;
  readonly spec: RunSpec;
  /** [T, C, h, w], scaled; the context first: clean, but as sampled when one window made it all. */
  readonly latents: Float32Array;
  readonly latentShape: readonly [number, number, number, number];
  /** Decoded latents, uint8 [T, H, W, 3]; null without a codec. */
  readonly frames: Uint8Array | null;
  /** The clip's own frames through the codec (as many as are known), uint8 [t, H, W, 3]; null likewise. */
  readonly reconstruction: Uint8Array | null;
  /** [T, H, W, 3] of `frames`; null without a codec. */
  readonly frameShape: readonly [number, number, number, 3] | null;
  /** Against recorded pixels and against the codec's reconstruction of them; null without that truth. */
  readonly metrics: {
    readonly pixels: readonly FrameMetrics[] | null;
    readonly reconstruction: readonly FrameMetrics[] | null;
  };
  /** Level indices of every window: [windows][rows][F], context first (null where flow has none). */
  readonly levels: readonly (readonly (readonly (number | null)[])[])[];
  /** What the network believed in every row of every window, clean latents [F, C, h, w]; only when asked for. */
  readonly trace?: readonly Float32Array[];
  /** Seconds by stage. */
  readonly timings: Timings;
  /** Calls of the network; rows in which no kept frame changes need none with the cached graph. */
  readonly networkCalls: number;
  /** Frames that the network computed, over all calls. */
  readonly frameEvaluations: number;
  /** The graph that was called, and a sentence when it is not the cached one. */
  readonly network: GraphChoice;
  readonly provenance: Provenance;
}

export interface Timings {
  readonly encode: number;
  readonly sample: number;
  readonly decode: number;
  readonly measure: number;
  readonly total: number;
}

/** What a run of the bundle does when nothing is asked. */
export function defaultSpec(manifest: Manifest, clip = ''): RunSpec {
  const { denoiser } = requireDenoiser(manifest);
  return {
    version: 1,
    bundle: manifest.id,
    clip,
    context: denoiser.context,
    horizon: denoiser.architecture.frames,
    actions: 'recorded',
    seed: 42,
    noise: 'playground',
    sampler: {
      mode: denoiser.sampling.mode,
      lag: null,
      matrix: null,
      steps: denoiser.sampling.steps,
      spacing: 'uniform',
      solver: 'ddim',
      eta: 0,
      stabilisation: denoiser.stabilisation,
      samples: 1,
      refine: null,
    },
    keep: null,
    precision: 'auto',
    backend: 'auto',
  };
}

/**
 * The spec in `json`, what it leaves out filled in from the bundle. The bundle that is given runs,
 * whatever bundle the spec was written for. A horizon beyond one window keeps one frame a window.
 * @throws one sentence that names the field: unknown, wrong, or not possible with this bundle.
 */
export function parseSpec(json: unknown, manifest: Manifest, clip = ''): RunSpec {
  const input = parseWith(specSchema, json, 'run spec', 'correct it or leave it out');
  const defaults = defaultSpec(manifest, clip);
  const { frames } = requireDenoiser(manifest).denoiser.architecture;
  const horizon = input.horizon ?? defaults.horizon;
  const context = input.context ?? defaults.context;
  checkContext(context, frames);
  const spec: RunSpec = {
    ...defaults,
    keep: horizon > frames ? 1 : null,
    ...input,
    version: 1,
    bundle: manifest.id,
    sampler: completeSampler(input.sampler ?? {}, defaults.sampler, context, frames),
  };
  checkRange(spec, frames);
  checkReserved(spec);
  return spec;
}

type SamplerInput = v.InferOutput<typeof samplerSchema>;

/** A lag or a matrix alone says the mode. */
function completeSampler(
  input: SamplerInput,
  defaults: SamplerSpec,
  context: number,
  frames: number,
): SamplerSpec {
  const { lag = null, matrix = null, refine = null } = input;
  if (refine !== null) throw unsupported('sampler.refine', refine, 'leave it null');
  const mode = input.mode ?? (matrix ? 'matrix' : lag !== null ? 'lag' : defaults.mode);
  if ((mode === 'lag') !== (lag !== null)) {
    throw invalid('sampler.lag', lag, `mode ${mode} ${mode === 'lag' ? 'needs' : 'does not take'} one`);
  }
  if ((mode === 'matrix') !== (matrix !== null)) {
    const remedy = `mode ${mode} ${mode === 'matrix' ? 'needs' : 'does not take'} one`;
    throw invalid('sampler.matrix', matrix, remedy);
  }
  const steps = input.steps ?? (matrix ? highestLevel(matrix) : defaults.steps);
  const generated = frames - context;
  const own = matrix && withoutContext(matrix, context, generated);
  if (own) matrixOf({ mode: 'matrix', matrix: own, steps, frames: generated });
  return { ...defaults, ...input, mode, lag, matrix: own, steps, refine: null };
}

/** Not by spreading: a long matrix has more levels than a call may have arguments. */
function highestLevel(matrix: number[][]): number {
  return matrix.reduce((most, row) => row.reduce((a, b) => Math.max(a, b), most), 1);
}

/** A matrix of all the window's frames loses its context columns, if they stay as they are. */
function withoutContext(matrix: number[][], context: number, generated: number): number[][] {
  const [first] = matrix;
  const whole = matrix.every((row) => row.length === context + generated);
  const still = matrix.every((row) => row.every((level, i) => i >= context || level === first[i]));
  return whole && still && context > 0 ? matrix.map((row) => row.slice(context)) : matrix;
}

function checkContext(context: number, frames: number): void {
  if (context >= frames) {
    throw invalid('context', context, `this model's window has ${frames} frames; give at most ${frames - 1}`);
  }
}

function checkRange({ context, horizon, keep }: RunSpec, frames: number): void {
  if (horizon <= context) {
    throw invalid('horizon', horizon, `it counts all frames, the ${context} of context included; give more`);
  }
  if (keep === null && horizon > frames) {
    const remedy = `one window of this model has ${frames} frames; give keep, the frames kept of each window`;
    throw invalid('horizon', horizon, remedy);
  }
  if (keep !== null && keep > frames - context) {
    const remedy = `a window generates ${frames - context} frames; keep at most those`;
    throw invalid('keep', keep, remedy);
  }
}

/** Names that the format has for what comes later. */
function checkReserved({ actions, precision, sampler }: RunSpec): void {
  if (actions !== 'recorded') throw unsupported('actions', actions, "use 'recorded'");
  if (precision === 'fp16') throw unsupported('precision', precision, "use 'auto' or 'fp32'");
  if (sampler.spacing !== 'uniform') throw unsupported('sampler.spacing', sampler.spacing, "use 'uniform'");
  if (sampler.solver !== 'ddim') throw unsupported('sampler.solver', sampler.solver, "use 'ddim'");
  if (sampler.samples !== 1) throw unsupported('sampler.samples', sampler.samples, 'use 1');
}
