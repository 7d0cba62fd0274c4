import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readSafetensors } from '../files/safetensors.ts';
import type { Weights } from '../files/weights.ts';
import { readReference, readReferenceText } from '../testing/reference.ts';
import { buildBundle } from './build.ts';
import type { BundleRequest } from './build.ts';
import { parseManifest } from './manifest.ts';

const sha256 = (bytes: Uint8Array) => Promise.resolve(createHash('sha256').update(bytes).digest('hex'));

const nanowmWeights = () => readSafetensors(readReference('nanowm/additive/model.safetensors')!);
const vaeWeights = () =>
  readSafetensors(readReference('autoencoder/old-names/diffusion_pytorch_model.safetensors')!);
const vaeConfig = () => JSON.parse(readReferenceText('autoencoder/old-names/config.json')!) as object;

const about: BundleRequest = {
  id: 'tiny',
  title: 'Tiny',
  source: 'random weights',
  licence: 'MIT',
  world: 'maze',
  storage: 'float16',
  display: { aspect: 1, fps: 8 },
};

function request(weights: Weights = nanowmWeights()) {
  return {
    ...about,
    nanowm: {
      weights,
      facts: {},
      context: 1,
      stabilisation: 0.02,
      sampling: { mode: 'sequential', steps: 50 },
      diffusion: { schedule: 'squaredcos_cap_v2', steps: 1000, prediction: 'v', zeroTerminalSnr: true },
      action: { kind: 'maze', perStep: 2, mean: [0, 0], std: [1, 1] },
    },
  } satisfies BundleRequest;
}

describe('a bundle', () => {
  test('holds the graphs that its manifest states, with their true sizes and hashes', async () => {
    const { manifest, files } = await buildBundle(request(), sha256);
    expect(files.map(({ name }) => name)).toEqual(['window.onnx', 'manifest.json']);
    const [window, json] = files;
    expect(manifest.files['window.onnx']).toEqual({
      bytes: window!.bytes.length,
      sha256: await sha256(window!.bytes),
      dtype: 'fp16',
    });
    expect(parseManifest(JSON.parse(new TextDecoder().decode(json!.bytes)))).toEqual(manifest);
  });

  test('is the same, byte for byte, when it is built again', async () => {
    const [first, second] = await Promise.all([
      buildBundle(request(), sha256),
      buildBundle(request(), sha256),
    ]);
    expect(second.manifest.files).toEqual(first.manifest.files);
  });

  test('with float16 storage is about half as large', async () => {
    const half = (await buildBundle(request(), sha256)).manifest.files['window.onnx']!.bytes;
    const full = (await buildBundle({ ...request(), storage: 'float32' }, sha256)).manifest.files[
      'window.onnx'
    ]!;
    expect(full.dtype).toBe('fp32');
    // The table of timesteps stays float32, whatever the storage.
    const table = 1000 * 48 * 4;
    expect((half - table) / (full.bytes - table)).toBeLessThan(0.6);
  });

  test('takes the environment steps of a frame from the width of the actions', async () => {
    const { manifest } = await buildBundle(request(), sha256);
    expect(manifest.action).toMatchObject({ width: 10, perStep: 2, frameInterval: 5 });
  });

  test('can hold a codec alone, whose config says the size of its images', async () => {
    const autoencoder = { weights: vaeWeights(), config: vaeConfig() };
    const { manifest } = await buildBundle({ ...about, autoencoder }, sha256);
    expect(manifest.codec).toMatchObject({ imageSize: [32, 32], downsampling: 2, scalingFactor: 0.18215 });
    expect(Object.keys(manifest.files)).toEqual(['encode.onnx', 'decode.onnx']);
  });

  test('needs the size of its images when it holds a codec alone', async () => {
    const autoencoder = { weights: vaeWeights(), config: { ...vaeConfig(), sample_size: null } };
    await expect(buildBundle({ ...about, autoencoder }, sha256)).rejects.toThrow(/^missing sample_size/);
  });

  test('refuses actions that the network cannot take', async () => {
    const base = request();
    const action = { kind: 'maze', perStep: 3, mean: null, std: null } as const;
    await expect(buildBundle({ ...base, nanowm: { ...base.nanowm, action } }, sha256)).rejects.toThrow(
      /manifest field.*action\.frameInterval/,
    );
  });

  test('refuses more timesteps than its graph has embeddings for', async () => {
    const base = request();
    const diffusion = { ...base.nanowm.diffusion, steps: 4000 };
    await expect(buildBundle({ ...base, nanowm: { ...base.nanowm, diffusion } }, sha256)).rejects.toThrow(
      /^unsupported diffusion steps: 4000/,
    );
  });
});
