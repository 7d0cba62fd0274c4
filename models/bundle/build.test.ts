import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readSafetensors } from '../files/safetensors.ts';
import type { Weights } from '../files/weights.ts';
import type { Storage } from '../onnx/storage.ts';
import { readReference, readReferenceText, referencePath } from '../testing/reference.ts';
import { memorySink } from '../testing/sink.ts';
import { buildBundle } from './build.ts';
import type { BundleRequest } from './build.ts';
import { filesOfGraph, parseManifest } from './manifest.ts';

const sha256 = (bytes: Uint8Array) => Promise.resolve(createHash('sha256').update(bytes).digest('hex'));

async function built(request: BundleRequest) {
  const sink = memorySink();
  const manifest = await buildBundle(request, sink, { sha256 });
  return { manifest, files: sink.files };
}

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
  storage: 'fp16',
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
    const { manifest, files } = await built(request());
    expect([...files.keys()]).toEqual(['denoiser.0.bin', 'window.onnx', 'cached.onnx', 'manifest.json']);
    for (const [name, bytes] of files) {
      if (name === 'manifest.json') continue;
      const place = name === 'denoiser.0.bin' ? { externalDataOf: ['window.onnx', 'cached.onnx'] } : {};
      const stated = { bytes: bytes.length, sha256: await sha256(bytes), dtype: 'fp16', ...place };
      expect(manifest.files[name]).toEqual(stated);
    }
    const json = new TextDecoder().decode(files.get('manifest.json'));
    expect(parseManifest(JSON.parse(json))).toEqual(manifest);
    expect(filesOfGraph(manifest, 'cached.onnx')).toEqual(['cached.onnx', 'denoiser.0.bin']);
  });

  test('is the same, byte for byte, when it is built again', async () => {
    const [first, second] = await Promise.all([built(request()), built(request())]);
    expect(second.manifest.files).toEqual(first.manifest.files);
  });

  test('with fp16 storage is about half as large, with fewer bits smaller still', async () => {
    const sizeOf = async (storage: Storage) => {
      const { manifest } = await built({ ...request(), storage });
      const { bytes, dtype } = manifest.files['denoiser.0.bin']!;
      expect(dtype).toBe(storage);
      return bytes;
    };
    const [full, half, q8, q4] = [
      await sizeOf('fp32'),
      await sizeOf('fp16'),
      await sizeOf('q8'),
      await sizeOf('q4'),
    ];
    expect(half / full).toBeLessThan(0.6);
    expect(q8).toBeLessThan(half);
    expect(q4).toBeLessThan(q8);
  });

  test.skipIf(referencePath('nanowm/bidirectional') === null)(
    'of a model that is not causal holds the window graph alone, in one file',
    async () => {
      const base = request();
      const weights = readSafetensors(readReference('nanowm/bidirectional/model.safetensors')!);
      const nanowm = { ...base.nanowm, weights, facts: { causal: false } };
      const { manifest, files } = await built({ ...base, nanowm });
      expect([...files.keys()]).toEqual(['window.onnx', 'manifest.json']);
      expect(manifest.denoiser!.graphs).toEqual({ window: 'window.onnx' });
    },
  );

  test('tells how far it is, and ends between two files', async () => {
    const seen: number[] = [];
    const sink = memorySink();
    const ended = buildBundle(request(), sink, {
      sha256,
      onProgress: (done, total) => seen.push(done / total),
      pause: () => (seen.length === 0 ? Promise.resolve() : Promise.reject(new Error('ended'))),
    });
    await expect(ended).rejects.toThrow('ended');
    expect([...sink.files.keys()]).toEqual(['denoiser.0.bin']);
    expect(seen[0]).toBeGreaterThan(0.9);
  });

  test('writes nothing when a weight is not finite', async () => {
    const base = request();
    const { weights } = base.nanowm;
    const spoilt: Weights = {
      ...weights,
      get: (name) => {
        const tensor = weights.get(name);
        if (name !== 'blocks.1.mlp.w2.weight') return tensor;
        return { ...tensor, data: (tensor.data as Float32Array).slice().fill(NaN, 5, 6) } as typeof tensor;
      },
    };
    const sink = memorySink();
    const building = buildBundle({ ...base, nanowm: { ...base.nanowm, weights: spoilt } }, sink, { sha256 });
    await expect(building).rejects.toThrow(/^invalid weight: NaN in 'blocks\.1\.mlp\.w2\.weight'/);
    expect(sink.files.size).toBe(0);
  });

  test('takes the environment steps of a frame from the width of the actions', async () => {
    const { manifest } = await built(request());
    expect(manifest.action).toMatchObject({ width: 10, perStep: 2, frameInterval: 5 });
  });

  test('can hold a codec alone, whose config says the size of its images', async () => {
    const autoencoder = { weights: vaeWeights(), config: vaeConfig() };
    const { manifest } = await built({ ...about, autoencoder });
    expect(manifest.codec).toMatchObject({ imageSize: [32, 32], downsampling: 2, scalingFactor: 0.18215 });
    expect(Object.keys(manifest.files)).toEqual(['encode.onnx', 'decode.onnx']);
  });

  test("takes over another bundle's codec as it is", async () => {
    const weights = readSafetensors(
      readReference('autoencoder/old-names/diffusion_pytorch_model.safetensors')!,
    );
    const config = { ...vaeConfig(), sample_size: 16 };
    const other = await built({ ...about, id: 'other', autoencoder: { weights, config } });
    const codec = {
      manifest: other.manifest,
      read: (name: string) => Promise.resolve(other.files.get(name)!),
    };
    const { manifest, files } = await built({ ...about, codec });
    expect(manifest.codec).toEqual(other.manifest.codec);
    expect(manifest.files).toEqual(other.manifest.files);
    expect(files.get('decode.onnx')).toEqual(other.files.get('decode.onnx'));
    const altered = { ...codec, read: () => Promise.resolve(new Uint8Array(8)) };
    await expect(built({ ...about, codec: altered })).rejects.toThrow(
      "invalid file: encode.onnx; it is not the one that bundle 'other' states",
    );
  });

  test('needs the size of its images when it holds a codec alone', async () => {
    const autoencoder = { weights: vaeWeights(), config: { ...vaeConfig(), sample_size: null } };
    await expect(built({ ...about, autoencoder })).rejects.toThrow(/^missing sample_size/);
  });

  test('refuses actions that the network cannot take', async () => {
    const base = request();
    const action = { kind: 'maze', perStep: 3, mean: null, std: null } as const;
    await expect(built({ ...base, nanowm: { ...base.nanowm, action } })).rejects.toThrow(
      /manifest field.*action\.frameInterval/,
    );
  });

  test('refuses more timesteps than its graph has embeddings for', async () => {
    const base = request();
    const diffusion = { ...base.nanowm.diffusion, steps: 4000 };
    await expect(built({ ...base, nanowm: { ...base.nanowm, diffusion } })).rejects.toThrow(
      /^unsupported diffusion steps: 4000/,
    );
  });
});
