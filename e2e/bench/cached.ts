/** What the memory of the `cached` graph is worth: a random model of middle size, both graphs in one run. */
import { availableParallelism } from 'node:os';
import { seededNormals } from '../../models/array/random.ts';
import { windowCost } from '../../models/diffusion/cost.ts';
import type { Networks } from '../../models/diffusion/denoiser.ts';
import { seededNoise } from '../../models/diffusion/noise.ts';
import type { PlanRequest } from '../../models/diffusion/plan.ts';
import { sampleSliding, windowPlans } from '../../models/diffusion/sliding.ts';
import { weightsOf } from '../../models/files/weights.ts';
import { buildCached } from '../../models/nanowm/cached.ts';
import { nanowmConfig } from '../../models/nanowm/config.ts';
import type { NanowmConfig } from '../../models/nanowm/config.ts';
import { openNanowm } from '../../models/nanowm/weights.ts';
import type { NanowmWeights } from '../../models/nanowm/weights.ts';
import { buildWindow } from '../../models/nanowm/window.ts';
import { exampleWeights } from '../../models/testing/nanowm.ts';
import { cachedDenoiser } from '../../workers/cached.ts';
import { windowDenoiser } from '../../workers/graphs.ts';
import { openSession } from '../../workers/node/session.ts';
import type { NodeRuntime } from '../../workers/node/session.ts';
import { median } from './measure.ts';
import type { Row } from './measure.ts';

const THREADS = availableParallelism();
const REPEATS = 3;

interface Setting {
  readonly name: string;
  readonly frames: number;
  readonly context: number;
  /** Generated frames that are kept. */
  readonly keep: number;
  readonly wanted: string;
}

/** 50 steps, sequential, stabilised at 0.02: as the published models are run (facts section 5). */
const SETTINGS: readonly Setting[] = [
  { name: 'maze (4 frames, 1 given)', frames: 4, context: 1, keep: 3, wanted: 'at least 3 times' },
  { name: 'csgo (16 frames, 4 given, 1 kept)', frames: 16, context: 4, keep: 1, wanted: 'at least 10 times' },
];

export async function cachedRollouts(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const runtime of ['wasm', 'node'] satisfies NodeRuntime[]) {
    for (const setting of SETTINGS) {
      rows.push({
        what: `${setting.name}, width 256, depth 8, 50 steps, ${runtime === 'wasm' ? 'WASM' : 'onnxruntime-node'}, ${String(THREADS)} threads`,
        value: await measure(setting, runtime).catch((error: Error) => error.message),
        wanted: setting.wanted,
      });
    }
  }
  return rows;
}

/** Seconds of both graphs, medians of runs in turn, their ratio, and the largest difference of the latents. */
async function measure(setting: Setting, runtime: NodeRuntime): Promise<string> {
  const weights = randomWeights(setting.frames);
  const config = nanowmConfig(weights);
  const options = { runtime, threads: THREADS };
  const window = await openSession(buildWindow(config, weights), options);
  const cached = await openSession(buildCached(config, weights), options);
  const graphs: readonly [Networks, Networks] = [
    { denoise: windowDenoiser(window, config) },
    { denoise: null, cached: cachedDenoiser(cached, config) },
  ];
  for (const networks of graphs) await sample(networks, config, setting, 2);
  const times: [number[], number[]] = [[], []];
  const latents: Float32Array[] = [];
  for (let i = 0; i < REPEATS; i++) {
    for (const [graph, networks] of graphs.entries()) {
      const start = performance.now();
      latents[graph] = await sample(networks, config, setting, 50);
      times[graph]!.push((performance.now() - start) / 1000);
    }
  }
  await window.release();
  await cached.release();
  const [whole, less] = [median(times[0]), median(times[1])];
  const [plan] = windowPlans(requestOf(setting, 50), setting.context + setting.keep);
  const { windowEvaluations, cachedEvaluations } = windowCost(plan!);
  return [
    `${whole.toFixed(2)} s whole, ${less.toFixed(2)} s cached, ${(whole / less).toFixed(1)} times`,
    `(frames computed: ${(windowEvaluations / cachedEvaluations).toFixed(1)} times)`,
    `difference ${differenceOf(latents[0]!, latents[1]!).toExponential(1)} of the largest value`,
  ].join(', ');
}

function requestOf({ frames, context, keep }: Setting, steps: number): PlanRequest {
  const diffusion = {
    schedule: 'squaredcos_cap_v2',
    steps: 1000,
    prediction: 'v',
    zeroTerminalSnr: true,
  } as const;
  return { diffusion, mode: 'sequential', steps, frames, context, stabilisation: 0.02, eta: 0, keep };
}

function sample(
  networks: Networks,
  config: NanowmConfig,
  setting: Setting,
  steps: number,
): Promise<Float32Array> {
  const { channels, latentHeight, latentWidth, actionWidth } = config;
  const frameSize = channels * latentHeight * latentWidth;
  const normals = seededNormals(1);
  return sampleSliding({
    ...networks,
    request: requestOf(setting, steps),
    length: setting.context + setting.keep,
    frameSize,
    context: normals(setting.context * frameSize),
    actions: normals(setting.frames * actionWidth),
    actionWidth,
    noise: seededNoise('playground', 2, frameSize),
  });
}

/** Normal numbers, scaled so that what flows through the network keeps its size. */
function randomWeights(frames: number): NanowmWeights {
  const shapes = exampleWeights({
    width: 256,
    headWidth: 64,
    depth: 8,
    patches: 64,
    frames,
    actionWidth: 10,
  });
  const normals = seededNormals(0);
  const scaled = Object.entries(shapes).map(([name, { shape }]) => {
    const inputs = shape.slice(1).reduce((product, side) => product * side, 1);
    const [mean, deviation] = name.endsWith('_norm.weight') ? [1, 0.1] : [0, inputs ** -0.5 / 2];
    const size = inputs * shape[0]!;
    const data = normals(size).map((value) => mean + deviation * value);
    return [name, { dtype: 'float32', shape, data }] as const;
  });
  return openNanowm(weightsOf(Object.fromEntries(scaled)));
}

/** Largest difference, in parts of the largest size. */
function differenceOf(a: Float32Array, b: Float32Array): number {
  let [most, size] = [0, 0];
  for (const [i, value] of a.entries()) {
    most = Math.max(most, Math.abs(value - b[i]!));
    size = Math.max(size, Math.abs(value));
  }
  return most / size;
}
