/** The cached graph against the original's output, whole and in pieces. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { seededRandom } from '../../models/array/random.ts';
import type { FrameMemory } from '../../models/diffusion/denoiser.ts';
import { readSafetensors } from '../../models/files/safetensors.ts';
import { weightsOf } from '../../models/files/weights.ts';
import { parseYaml } from '../../models/files/yaml.ts';
import { buildCached } from '../../models/nanowm/cached.ts';
import { nanowmConfig } from '../../models/nanowm/config.ts';
import type { NanowmConfig } from '../../models/nanowm/config.ts';
import { configFromHydra } from '../../models/nanowm/hydra.ts';
import { memoriesOf, NOWHERE } from '../../models/nanowm/memory.ts';
import { openNanowm } from '../../models/nanowm/weights.ts';
import { exampleWeights } from '../../models/testing/nanowm.ts';
import {
  readReference,
  readReferenceText,
  referenceArrays,
  referencePath,
} from '../../models/testing/reference.ts';
import { cachedDenoiser } from '../cached.ts';
import type { Feeds, GraphSession } from '../session.ts';
import { RUNTIMES } from '../testing/runtimes.ts';
import { openSession } from './session.ts';
import type { NodeRuntime } from './session.ts';

const NAMES = ['additive', 'adaln', 'adaln-fuse', 'cross-attention', 'csgo', 'film', 'flow'];
/** Of the golden data's README. */
const TOLERANCE = { relativeToLargest: 2e-5 };

function load(name: string) {
  const weights = openNanowm(readSafetensors(readReference(`nanowm/${name}/model.safetensors`)!));
  const facts = configFromHydra(parseYaml(readReferenceText(`nanowm/${name}/config.yaml`)!));
  const config = nanowmConfig(weights, facts);
  return { config, weights, io: referenceArrays(`nanowm/${name}/io.npz`) };
}

/** What the original was given and gave: x, output [B, F, C, H, W], timesteps [B, F], actions [B, F, A]. */
interface Golden {
  readonly config: NanowmConfig;
  readonly batch: number;
  readonly x: Float32Array;
  readonly timesteps: Float32Array;
  readonly actions: Float32Array;
  readonly output: Float32Array;
}

async function open(name: string, runtime: NodeRuntime) {
  const { config, weights, io } = load(name);
  const session = await openSession(buildCached(config, weights), { runtime });
  onTestFinished(() => session.release());
  const floats = (array: string) => Float32Array.from(io.get(array).data as Float32Array);
  const golden: Golden = {
    config,
    batch: io.get('x').shape[0]!,
    x: floats('x'),
    timesteps: floats('timesteps'),
    actions: floats('actions'),
    output: floats('output'),
  };
  return { session, golden };
}

/** Rows `places` of each clip in `all` [B, F, ...]; the place before the first holds NaN, which nobody may see. */
function rows(all: Float32Array, places: readonly number[], { config, batch }: Golden): Float32Array {
  const size = all.length / (batch * config.frames);
  return Float32Array.from({ length: batch * places.length * size }, (_, i) => {
    const b = Math.floor(i / (places.length * size));
    const place = places[Math.floor(i / size) % places.length]!;
    return place < 0 ? NaN : all[(b * config.frames + place) * size + (i % size)]!;
  });
}

/** Computes `frames`, with all frames below the first of them seen, and compares. */
async function expectFrames(memory: FrameMemory, golden: Golden, frames: readonly number[]): Promise<void> {
  const output = await memory.call({
    x: rows(golden.x, frames, golden),
    timesteps: rows(golden.timesteps, frames, golden),
    actions: rows(
      golden.actions,
      frames.map((frame) => frame - 1),
      golden,
    ),
    frames,
    seen: Array.from({ length: frames[0]! }, (_, frame) => frame),
    kept: frames,
  });
  expect(output).toBeCloseTensor(rows(golden.output, frames, golden), TOLERANCE);
}

describe.each(NAMES)('cached graph of %s', (name) => {
  const absent = referencePath(`nanowm/${name}`) === null;

  test.skipIf(absent).each(RUNTIMES)('equals the original, whole and in pieces (%s)', async (runtime) => {
    const { session, golden } = await open(name, runtime);
    const { frames } = golden.config;
    const cached = cachedDenoiser(session, golden.config);
    const all = Array.from({ length: frames }, (_, frame) => frame);
    const pieces = [
      [all],
      all.map((frame) => [frame]),
      [all.slice(0, frames - 1), [frames - 1]],
      chance(all),
    ];
    for (const groups of pieces) {
      const memory = cached.open({ batch: golden.batch, slots: frames });
      for (const group of groups) await expectFrames(memory, golden, group);
      memory.close();
    }
  });
});

/** Cut at random, always the same. */
function chance(all: readonly number[]): number[][] {
  const random = seededRandom(7);
  const groups: number[][] = [[]];
  for (const frame of all) {
    if (random() < 0.4) groups.push([]);
    groups.at(-1)!.push(frame);
  }
  return groups.filter((group) => group.length > 0);
}

describe('the memory', () => {
  const absent = referencePath('nanowm/cross-attention') === null;

  test.skipIf(absent)('of later frames, and of frames that are not to be seen, changes nothing', async () => {
    const { session, golden } = await open('cross-attention', 'wasm');
    const memory = cachedDenoiser(session, golden.config).open({ batch: golden.batch, slots: 4 });
    await expectFrames(memory, golden, [0, 1, 2]);
    const request = (frame: number, seen: readonly number[]) => ({
      x: rows(golden.x, [frame], golden),
      timesteps: rows(golden.timesteps, [frame], golden),
      actions: rows(golden.actions, [frame - 1], golden),
      frames: [frame],
      seen,
      kept: [],
    });
    const first = await memory.call(request(0, [1, 2]));
    expect(first).toBeCloseTensor(rows(golden.output, [0], golden), TOLERANCE);
    const alone = await memory.call(request(1, []));
    const third = await memory.call(request(1, [0, 2]));
    expect(third).toBeCloseTensor(rows(golden.output, [1], golden), TOLERANCE);
    expect(alone).not.toBeCloseTensor(third, { relativeToLargest: 1e-3 });
  });

  test.skipIf(absent)('of a window is gone in the next one, and its arrays are used again', async () => {
    const { session, golden } = await open('cross-attention', 'wasm');
    const calls: { feeds: Feeds; outputs: readonly string[] | undefined }[] = [];
    const watched: GraphSession = {
      ...session,
      run: (feeds, outputs) => {
        calls.push({ feeds, outputs });
        return session.run(feeds, outputs);
      },
    };
    const cached = cachedDenoiser(watched, golden.config);
    const spoilt = cached.open({ batch: golden.batch, slots: 2 });
    const broken = { ...golden, x: golden.x.map(() => NaN) };
    await expect(expectFrames(spoilt, broken, [0, 1])).rejects.toThrow();
    spoilt.close();
    const memory = cached.open({ batch: golden.batch, slots: 2 });
    await expectFrames(memory, golden, [0]);
    await expectFrames(memory, golden, [1]);
    const [first, ...later] = calls;
    const pasts = Object.keys(first!.feeds).filter((name) => name.startsWith('past_'));
    expect(pasts.length).toBe(1 + memoriesOf(golden.config).length);
    for (const { feeds } of later) {
      for (const name of pasts) expect(feeds[name]!.data).toBe(first!.feeds[name]!.data);
    }
  });

  test('is named and sized by the blocks that need it', () => {
    const weights = openNanowm(weightsOf(exampleWeights({ depth: 5, width: 8, patches: 4 })));
    const config = nanowmConfig(weights);
    expect(memoriesOf(config)).toEqual([
      { name: 'key_1', past: 'past_key_1', width: 32 },
      { name: 'value_1', past: 'past_value_1', width: 32 },
      { name: 'key_3', past: 'past_key_3', width: 32 },
      { name: 'value_3', past: 'past_value_3', width: 32 },
    ]);
    expect(memoriesOf({ ...config, injection: 'cross_attention', depth: 2 }).slice(2)).toEqual([
      { name: 'action_key_1', past: 'past_action_key_1', width: 8 },
      { name: 'action_value_1', past: 'past_action_value_1', width: 8 },
    ]);
    expect(NOWHERE).toBeGreaterThan(4096);
  });
});

test.each([1, 2, 3])(
  'a network of %i blocks runs, with as many memories as it has temporal ones',
  async (depth) => {
    const weights = openNanowm(weightsOf(exampleWeights({ depth })));
    const config = nanowmConfig(weights);
    const session = await openSession(buildCached(config, weights), { runtime: 'wasm' });
    onTestFinished(() => session.release());
    const names = memoriesOf(config).map(({ name }) => name);
    expect(new Set(session.outputs)).toEqual(new Set(['output', ...names]));
    const memory = cachedDenoiser(session, config).open({ batch: 1, slots: 1 });
    const output = await memory.call({
      x: new Float32Array(64).fill(0.5),
      timesteps: Float32Array.of(3),
      actions: new Float32Array(2),
      frames: [0],
      seen: [],
      kept: [0],
    });
    expect(output.every(Number.isFinite)).toBe(true);
  },
);

test('a model that is not causal has no cached graph', () => {
  const weights = openNanowm(weightsOf(exampleWeights()));
  const config = { ...nanowmConfig(weights), causal: false };
  expect(() => buildCached(config, weights)).toThrow(
    /^unsupported model: not causal; .* use the window graph$/,
  );
});
