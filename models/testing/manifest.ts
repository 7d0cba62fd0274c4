/** A small manifest with everything in it, for tests: change what a test is about. */
import type { Manifest } from '../bundle/manifest.ts';

const file = { bytes: 10, sha256: 'a'.repeat(64), dtype: 'fp32' } as const;

export function exampleManifest(): Manifest {
  return {
    version: 1,
    id: 'tiny-maze',
    title: 'Tiny maze',
    source: 'random weights',
    licence: 'MIT',
    world: 'maze',
    denoiser: {
      architecture: {
        frames: 4,
        channels: 4,
        latentHeight: 8,
        latentWidth: 8,
        patch: 2,
        width: 32,
        depth: 4,
        heads: 2,
        actionWidth: 10,
        injection: 'additive',
        causal: true,
      },
      graphs: { window: 'window.onnx' },
      context: 1,
      stabilisation: 0.02,
      sampling: { mode: 'sequential', steps: 50 },
    },
    diffusion: {
      schedule: 'squaredcos_cap_v2',
      steps: 1000,
      prediction: 'v',
      zeroTerminalSnr: true,
    },
    action: {
      kind: 'maze',
      width: 10,
      perStep: 2,
      frameInterval: 5,
      mean: [0.1, -0.2],
      std: [0.5, 0.25],
    },
    codec: {
      kind: 'autoencoder-kl',
      imageSize: [64, 64],
      downsampling: 8,
      channels: 4,
      scalingFactor: 0.5,
      graphs: { encode: 'encode.onnx', decode: 'decode.onnx' },
    },
    display: { aspect: 1, fps: 8 },
    files: { 'window.onnx': file, 'encode.onnx': file, 'decode.onnx': file },
  };
}
