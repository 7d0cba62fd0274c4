import { describe, expect, test } from 'vitest';
import { rollout } from '../rollout.ts';
import { parseSpec } from '../run.ts';
import { causalNetwork } from '../testing/causal-network.ts';
import { exampleManifest } from '../testing/manifest.ts';
import { latentsOf, picturesMissing } from './latents.ts';
import { parseManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';

describe('the latents of a model', () => {
  test.each([
    ['sd_vae', 4, 'autoencoder-kl'],
    ['vae', 16, 'autoencoder-kl'],
    ['webdino', 1024, 'webdino'],
    ['vjepa2_1', 1408, 'vjepa2_1'],
    ['pixel', 3, 'pixel'],
    [null, 4, 'autoencoder-kl'],
    [null, 768, 'semantic'],
  ])('are what the config says, or what their channels say: %s, %i', (said, channels, latents) => {
    expect(latentsOf(said, channels)).toEqual({ latents, note: null });
  });

  test('are what their channels say where the config cannot be right, and that is said', () => {
    expect(latentsOf('sd_vae', 1024)).toEqual({
      latents: 'semantic',
      note: 'The config names the codec sd_vae; the weights take 1024 channels, which no such codec has, so they are taken for features of an encoder.',
    });
    expect(latentsOf('toString', 4).latents).toBe('autoencoder-kl');
    expect(latentsOf('cosmos', 16).note).toMatch(/^The config names the codec cosmos, which nobody here/);
  });
});

/** The example without its codec. */
function semantic(): Manifest {
  const manifest = exampleManifest();
  delete manifest.codec;
  manifest.denoiser!.latents = 'vjepa2_1';
  return parseManifest({ ...manifest, files: { 'window.onnx': manifest.files['window.onnx'] } });
}

describe('a model of features', () => {
  const manifest = semantic();
  const size = 4 * 8 * 8;
  const run = (clip: { latents: Float32Array | null }) =>
    rollout({
      manifest,
      spec: parseSpec({ sampler: { steps: 2 } }, manifest),
      clip: {
        length: 1,
        pixels: clip.latents ? null : { data: new Uint8Array(64 * 64 * 3), height: 64, width: 64 },
        latents: clip.latents && { data: clip.latents, channels: 4, height: 8, width: 8 },
        actions: { data: new Float32Array(40), rows: 4, width: 10, scale: 'network' },
        states: null,
        fps: 8,
        aspect: 1,
        source: 'a test',
      },
      denoise: causalNetwork(4).denoise,
      encode: null,
      decode: null,
      clock: () => 0,
      device: { runtime: '', backend: 'wasm', adapter: '' },
    });

  test('rolls out in latents, without pictures', async () => {
    const result = await run({ latents: new Float32Array(size).fill(0.5) });
    expect(result.latentShape).toEqual([4, 4, 8, 8]);
    expect(result.latents.every(Number.isFinite)).toBe(true);
    expect([result.frames, result.metrics.pixels]).toEqual([null, null]);
  });

  test('says why it takes no frames and gives no pictures', async () => {
    await expect(run({ latents: null })).rejects.toThrow(
      "unsupported frames: in bundle 'tiny-maze'; this model predicts features of V-JEPA 2.1, for which there is no decoder: rollouts take a clip of latents and give latents, not pictures",
    );
    expect(picturesMissing(manifest)).toMatch(/^This model predicts features of V-JEPA 2\.1/);
    expect(picturesMissing(exampleManifest())).toBeNull();
  });
});
