/** From the published files to the original's numbers, by commands alone. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Tensor } from '../../../models/array/tensor.ts';
import type { Npz } from '../../../models/files/npz.ts';
import { readReferenceText, referenceArrays, referencePath } from '../../../models/testing/reference.ts';
import { loadArrays, saveArrays } from '../testing/npz.ts';
import { output, workspace } from '../testing/run.ts';
import { command as convert } from './convert.ts';
import { command as infer } from './infer.ts';
import { command as rollout } from './rollout.ts';

const MODELS = [
  'additive',
  'adaln',
  'adaln-fuse',
  'bidirectional',
  'cross-attention',
  'csgo',
  'film',
  'flow',
];
/** Of the golden data's README. */
const TOLERANCE = { relativeToLargest: 2e-5 };

/** Arrays that `graph` of the bundle in `folder` makes of the arrays in `inputs`. */
async function inferred(folder: string, graph: string, inputs: string): Promise<Npz> {
  const out = join(workspace(), 'out.npz');
  await output(infer, ['--graph', join(folder, graph), '--inputs', inputs, '--out', out]);
  return loadArrays(out);
}

describe.each(MODELS)('a published model: %s', (name) => {
  const folder = referencePath(`nanowm/${name}`);
  test.skipIf(folder === null)('converted and inferred equals the original', async () => {
    const out = join(workspace(), 'bundle');
    await output(convert, ['nanowm', '--weights', folder!, '--dtype', 'fp32', '--out', out]);
    const io = join(folder!, 'io.npz');
    const made = (await inferred(out, 'window.onnx', io)).get('output');
    const golden = loadArrays(io).get('output');
    expect(made.shape).toEqual(golden.shape);
    expect(made.data).toBeCloseTensor(golden.data as Float32Array, TOLERANCE);
  });
});

describe.each(['sd-like', 'old-names'])('an autoencoder: %s', (name) => {
  const folder = referencePath(`autoencoder/${name}`);
  test.skipIf(folder === null)('converted and inferred equals the original', async () => {
    const out = join(workspace(), 'bundle');
    await output(convert, ['vae', '--weights', folder!, '--dtype', 'fp32', '--out', out]);
    const io = join(folder!, 'io.npz');
    const golden = loadArrays(io);
    const encoded = await inferred(out, 'encode.onnx', io);
    const decoded = await inferred(out, 'decode.onnx', io);
    for (const [made, wanted] of [
      [encoded.get('mean'), golden.get('mean')],
      [encoded.get('logvar'), golden.get('logvar')],
      [decoded.get('pixels'), golden.get('decoded')],
    ] as const)
      expect(made.data).toBeCloseTensor(wanted.data as Float32Array, TOLERANCE);
  });
});

/** Files of one small model, and the output of the precision that each holds. */
const CHECKPOINTS = [
  ['lightning.ckpt', 'output'],
  ['half.pt', 'output_half'],
  ['bfloat16.pt', 'output_bfloat16'],
  ['stream.pth', 'output'],
  ['compiled.safetensors', 'output'],
] as const;

describe.each(CHECKPOINTS)('a checkpoint of a training: %s', (name, wanted) => {
  const folder = referencePath('checkpoints');
  test.skipIf(folder === null)('converted and inferred equals the original', async () => {
    const out = join(workspace(), 'bundle');
    const files = ['--weights', join(folder!, name), '--config', join(folder!, 'config.yaml')];
    await output(convert, ['nanowm', ...files, '--dtype', 'fp32', '--out', out]);
    const io = join(folder!, 'io.npz');
    const golden = loadArrays(io).get(wanted).data as Float32Array;
    expect((await inferred(out, 'window.onnx', io)).get('output').data).toBeCloseTensor(golden, TOLERANCE);
  });
});

interface RolloutCase {
  readonly case: string;
  readonly model: string;
  readonly mode: string;
  readonly steps: number;
  readonly history_stabilization_level: number;
  readonly eta: number;
  readonly keep_frames: number | null;
  readonly network_calls?: number;
}

const cases = JSON.parse(readReferenceText('rollout/cases.json') ?? '[]') as RolloutCase[];
const present = ({ case: name, model }: RolloutCase) =>
  referencePath(`rollout/${name}.npz`) !== null && referencePath(`${model}/model.safetensors`) !== null;

/** One bundle for each model, for all cases. */
const bundles = mkdtempSync(join(tmpdir(), 'nanowm-parity-'));
afterAll(() => rmSync(bundles, { recursive: true }));
const built = new Map<string, Promise<unknown>>();
async function bundleOf(model: string): Promise<string> {
  const out = join(bundles, model.replace('/', '-'));
  const making =
    built.get(model) ??
    output(convert, ['nanowm', '--weights', referencePath(model)!, '--dtype', 'fp32', '--out', out]);
  built.set(model, making);
  await making;
  return out;
}

/** The array without its batch axis of 1, or with its leading axes replaced. */
function array(arrays: Npz, name: string, leading?: readonly number[]): Tensor {
  const { shape, data, dtype } = arrays.get(name);
  return { dtype, data, shape: leading ? [...leading, ...shape.slice(-4)] : shape.slice(1) };
}

async function rolledOut(item: RolloutCase, arrays: Npz, windows: number, spec: object): Promise<Npz> {
  const folder = workspace();
  mkdirSync(join(folder, 'out'));
  const clip = saveArrays(join(folder, 'clip.npz'), {
    latents: array(arrays, arrays.has('context') ? 'context' : 'truth'),
    network_actions: array(arrays, 'actions'),
  });
  const noise = saveArrays(join(folder, 'noise.npz'), {
    initial: array(arrays, 'noise_initial', [windows]),
    ...(arrays.has('noise_context') && { context: array(arrays, 'noise_context', [windows]) }),
    ...(arrays.has('noise_steps') && {
      steps: array(arrays, 'noise_steps', [1, arrays.get('noise_steps').shape[0]!]),
    }),
  });
  const { mode, steps, eta, history_stabilization_level: stabilisation } = item;
  const asked = join(folder, 'spec.json');
  writeFileSync(asked, JSON.stringify({ ...spec, sampler: { mode, steps, eta, stabilisation } }));
  const bundle = await bundleOf(item.model);
  await output(rollout, [
    ...['--bundle', bundle, '--clip', clip, '--noise', noise, '--spec', asked],
    ...['--out', join(folder, 'out'), '--threads', '1'],
  ]);
  return loadArrays(join(folder, 'out', 'rollout.npz'));
}

describe.each(cases)('a rollout through a bundle: $case', (item) => {
  test.skipIf(!present(item))('equals the original', async () => {
    const arrays = referenceArrays(`rollout/${item.case}.npz`);
    const [known, frames] = [arrays.get('context').shape[1]!, arrays.get('actions').shape[1]!];
    const horizon = item.keep_frames === null ? frames : known + item.keep_frames;
    const made = await rolledOut(item, arrays, 1, { context: known, horizon, keep: null });
    // The golden data's README: the bidirectional models amplify rounding.
    const relativeToLargest = item.model.endsWith('bidirectional') ? 1e-3 : 1e-4;
    const golden = array(arrays, 'latents').data as Float32Array;
    expect(made.get('latents').data).toBeCloseTensor(golden, { relativeToLargest });
  });
});

const long = readReferenceText('rollout/long-csgo.json');
const slide =
  long === null ? null : (JSON.parse(long) as RolloutCase & { frames: number; history_length: number });

test.skipIf(slide === null || !present({ ...slide, case: 'long-csgo' }))(
  'a rollout that slides through a bundle equals the original',
  async () => {
    const arrays = referenceArrays('rollout/long-csgo.npz');
    const { frames: horizon, history_length: context, keep_frames: keep } = slide!;
    const made = await rolledOut(slide!, arrays, horizon - context, { context, horizon, keep });
    const golden = array(arrays, 'latents').data as Float32Array;
    expect(made.get('latents').data).toBeCloseTensor(golden, { relativeToLargest: 1e-4 });
  },
);
