/** The sampler with real networks, against rollouts that the original recorded, on the runtime that browsers use. */
import { describe, expect, test } from 'vitest';
import { toFloat32 } from '../../models/array/convert.ts';
import { parseManifest } from '../../models/bundle/manifest.ts';
import type { Manifest } from '../../models/bundle/manifest.ts';
import { givenNoise } from '../../models/diffusion/noise.ts';
import type { GivenNoise } from '../../models/diffusion/noise.ts';
import { windowCost } from '../../models/diffusion/cost.ts';
import type { PlanRequest } from '../../models/diffusion/plan.ts';
import { sampleSliding, windowPlans } from '../../models/diffusion/sliding.ts';
import type { CachedDenoiser, Denoiser } from '../../models/diffusion/denoiser.ts';
import type { SchedulingMode } from '../../models/diffusion/scheduling-matrix.ts';
import type { Npz } from '../../models/files/npz.ts';
import { readSafetensors } from '../../models/files/safetensors.ts';
import { parseYaml } from '../../models/files/yaml.ts';
import { buildCached } from '../../models/nanowm/cached.ts';
import { nanowmConfig } from '../../models/nanowm/config.ts';
import type { NanowmConfig } from '../../models/nanowm/config.ts';
import { configFromHydra } from '../../models/nanowm/hydra.ts';
import type { HydraFacts } from '../../models/nanowm/hydra.ts';
import { openNanowm } from '../../models/nanowm/weights.ts';
import { buildWindow } from '../../models/nanowm/window.ts';
import { rollout } from '../../models/rollout.ts';
import { parseSpec } from '../../models/run.ts';
import { exampleManifest } from '../../models/testing/manifest.ts';
import {
  readReference,
  readReferenceText,
  referenceArrays,
  referencePath,
} from '../../models/testing/reference.ts';
import { cachedDenoiser } from '../cached.ts';
import { openSession } from './session.ts';

interface RolloutCase {
  readonly case: string;
  readonly model: string;
  readonly mode: SchedulingMode;
  readonly steps: number;
  readonly history_stabilization_level: number;
  readonly eta: number;
  readonly keep_frames: number | null;
  readonly network_calls?: number;
}

const cases = JSON.parse(readReferenceText('rollout/cases.json') ?? '[]') as RolloutCase[];
const available = ({ case: name, model }: RolloutCase) =>
  referencePath(`rollout/${name}.npz`) !== null && referencePath(`${model}/model.safetensors`) !== null;

/** README of the golden data: the bidirectional models amplify rounding. */
const toleranceOf = (model: string) => ({ relativeToLargest: model.endsWith('bidirectional') ? 1e-3 : 1e-4 });

describe.each(cases)('rollout $case', (item) => {
  test.skipIf(!available(item))('equals the original, row by row', async () => {
    const { arrays, model, run } = await windowOf(item);
    const inputs: Float32Array[] = [];
    const timesteps: Float32Array[] = [];
    const latents = await sampleSliding({
      ...run,
      denoise: (x, times, actions) => {
        inputs.push(x);
        timesteps.push(times);
        return model.denoise(x, times, actions);
      },
    });
    expect(inputs.length).toBe(item.network_calls);
    expect(join(timesteps)).toEqual(arrays.get('row_timesteps').data);
    const tolerance = toleranceOf(item.model);
    expect(join(inputs)).toBeCloseTensor(toFloat32(arrays.get('row_inputs')), tolerance);
    expect(latents).toBeCloseTensor(batchless(arrays, 'latents').data, tolerance);
  });

  const causal = !item.model.endsWith('bidirectional');
  test.skipIf(!causal || !available(item))(
    'equals it with the cached graph, for what the plan says',
    async () => {
      const { arrays, model, run } = await windowOf(item);
      let evaluations = 0;
      const latents = await sampleSliding({
        ...run,
        denoise: null,
        cached: model.cached,
        onRow: (row) => void (evaluations += row.evaluations),
      });
      expect(latents).toBeCloseTensor(batchless(arrays, 'latents').data, toleranceOf(item.model));
      const [plan] = windowPlans(run.request, run.length);
      expect(evaluations).toBe(windowCost(plan!).cachedEvaluations);
    },
  );
});

/** The case as one window, apart from the network. */
async function windowOf(item: RolloutCase) {
  const arrays = referenceArrays(`rollout/${item.case}.npz`);
  const model = await openModel(item.model);
  const context = batchless(arrays, 'context');
  const [known, ...frame] = context.shape as [number, ...number[]];
  const run = {
    request: { ...requestOf(item, model, known), keep: null },
    length: known + (item.keep_frames ?? model.config.frames - known),
    frameSize: frame.reduce((a, b) => a * b),
    context: context.data,
    actions: batchless(arrays, 'actions').data,
    actionWidth: model.config.actionWidth,
    noise: givenNoise(noiseOf(arrays, 1), frame, 1),
  };
  return { arrays, model, run };
}

describe('rollout long-csgo', () => {
  const text = readReferenceText('rollout/long-csgo.json');
  const item =
    text === null ? null : (JSON.parse(text) as RolloutCase & { frames: number; history_length: number });
  const ready = item !== null && available({ ...item, case: 'long-csgo' });
  test.skipIf(!ready).each(GRAPHS)(
    'slides as the original, actions repeated past the record (%s)',
    async (graph) => {
      const arrays = referenceArrays('rollout/long-csgo.npz');
      const { frames, history_length: history, keep_frames: keep } = item!;
      const model = await openModel(item!.model);
      const truth = batchless(arrays, 'truth');
      const frame = truth.shape.slice(1);
      const size = frame.reduce((a, b) => a * b);
      const latents = await sampleSliding({
        request: { ...requestOf(item!, model, history), keep },
        length: frames,
        frameSize: size,
        context: truth.data.slice(0, history * size),
        actions: batchless(arrays, 'actions').data,
        actionWidth: model.config.actionWidth,
        noise: givenNoise(noiseOf(arrays, frames - history), frame, frames - history),
        ...only(graph, model),
      });
      expect(latents).toBeCloseTensor(batchless(arrays, 'latents').data, { relativeToLargest: 1e-4 });
    },
  );
});

describe('a run spec', () => {
  const item = cases.find(({ case: name }) => name === '6-csgo-sequential');
  test.skipIf(!item || !available(item)).each(GRAPHS)(
    'with latents, network actions and given noise equals it too (%s)',
    async (graph) => {
      const arrays = referenceArrays('rollout/6-csgo-sequential.npz');
      const model = await openModel(item!.model);
      const manifest = manifestOf(model);
      const [latents, actions] = [batchless(arrays, 'context'), batchless(arrays, 'actions')];
      const { steps, mode, history_stabilization_level: stabilisation } = item!;
      const result = await rollout({
        manifest,
        spec: parseSpec({ horizon: 5, keep: 1, sampler: { mode, steps, stabilisation } }, manifest),
        clip: {
          length: 4,
          pixels: null,
          latents: { data: latents.data, channels: 4, height: 8, width: 8 },
          actions: { data: actions.data, rows: 8, width: 51, scale: 'network' },
          states: null,
          fps: 8,
          aspect: 1,
          source: 'reference',
        },
        ...only(graph, model),
        encode: null,
        decode: null,
        noise: noiseOf(arrays, 1),
        clock: () => 0,
        device: { runtime: '', backend: 'wasm', adapter: '' },
      });
      expect(result.networkCalls).toBe(item!.network_calls);
      expect(result.network.graph).toBe(graph);
      expect(result.frameEvaluations).toBe(graph === 'cached' ? 4 + 6 : 8 * 6);
      expect(result.latents).toBeCloseTensor(batchless(arrays, 'latents').data, { relativeToLargest: 1e-4 });
    },
  );
});

function manifestOf({ config, facts }: Model): Manifest {
  const example = exampleManifest();
  delete example.codec;
  return parseManifest({
    ...example,
    denoiser: { ...example.denoiser, architecture: config, context: facts.contextFrames },
    diffusion: diffusionOf(facts),
    action: { kind: 'csgo', width: 51, perStep: 51, frameInterval: 1, mean: null, std: null },
    files: { 'window.onnx': example.files['window.onnx'] },
  });
}

interface Model {
  readonly config: NanowmConfig;
  readonly facts: HydraFacts;
  readonly denoise: Denoiser;
  /** Null for a model that is not causal. */
  readonly cached: CachedDenoiser | null;
}

const GRAPHS = ['window', 'cached'] as const;
/** A model of which the bundle has that graph alone. */
function only(graph: (typeof GRAPHS)[number], { denoise, cached }: Model) {
  return graph === 'window' ? { denoise } : { denoise: null, cached };
}

const models = new Map<string, Promise<Model>>();

function openModel(name: string): Promise<Model> {
  const opened = models.get(name) ?? loadModel(name);
  models.set(name, opened);
  return opened;
}

async function loadModel(name: string): Promise<Model> {
  const weights = openNanowm(readSafetensors(readReference(`${name}/model.safetensors`)!));
  const facts = configFromHydra(parseYaml(readReferenceText(`${name}/config.yaml`)!));
  const config = nanowmConfig(weights, facts);
  const session = await openSession(buildWindow(config, weights), { runtime: 'wasm' });
  const { frames, channels, latentHeight, latentWidth, actionWidth } = config;
  const tensor = (shape: number[], data: Float32Array) => ({ dtype: 'float32', shape, data }) as const;
  const denoise: Denoiser = async (x, timesteps, actions) => {
    const { output } = await session.run({
      x: tensor([1, frames, channels, latentHeight, latentWidth], x),
      timesteps: tensor([1, frames], timesteps),
      actions: tensor([1, frames, actionWidth], actions),
    });
    return output!.data as Float32Array;
  };
  const cached = config.causal
    ? cachedDenoiser(await openSession(buildCached(config, weights), { runtime: 'wasm' }), config)
    : null;
  return { config, facts, denoise, cached };
}

function requestOf(item: RolloutCase, { config, facts }: Model, context: number): PlanRequest {
  return {
    diffusion: diffusionOf(facts),
    mode: item.mode,
    steps: item.steps,
    frames: config.frames,
    context,
    stabilisation: item.history_stabilization_level,
    eta: item.eta,
    keep: item.keep_frames,
  };
}

function diffusionOf(facts: HydraFacts): PlanRequest['diffusion'] {
  return {
    schedule: facts.noiseSchedule!,
    steps: facts.diffusionSteps!,
    prediction: facts.prediction!,
    zeroTerminalSnr: facts.zeroTerminalSnr!,
  };
}

/** The recorded noise without its batch axis of 1: [..., F or context, C, h, w]. */
function noiseOf(arrays: Npz, windows: number): GivenNoise {
  const array = (name: string, leading: number[]) => {
    const { shape, data } = arrays.get(name);
    return { shape: [...leading, ...shape.slice(-4)], data: data as Float32Array };
  };
  return {
    initial: array('noise_initial', [windows]),
    ...(arrays.has('noise_context') && { context: array('noise_context', [windows]) }),
    ...(arrays.has('noise_steps') && {
      steps: array('noise_steps', [1, arrays.get('noise_steps').shape[0]!]),
    }),
  };
}

/** The array without its batch axis of 1. */
function batchless(arrays: Npz, name: string): { shape: number[]; data: Float32Array } {
  const { shape, data } = arrays.get(name);
  return { shape: shape.slice(1), data: data as Float32Array };
}

function join(parts: readonly Float32Array[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => [...part]));
}
