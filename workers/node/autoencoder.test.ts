import { describe, expect, test } from 'vitest';
import { autoencoderConfig } from '../../models/autoencoder/config.ts';
import { buildDecode } from '../../models/autoencoder/decode.ts';
import { buildEncode } from '../../models/autoencoder/encode.ts';
import { readSafetensors } from '../../models/files/safetensors.ts';
import {
  readReference,
  readReferenceText,
  referenceArrays,
  referencePath,
} from '../../models/testing/reference.ts';
import { openSession } from './session.ts';

const RUNTIMES = ['wasm', 'node'] as const;

describe.each(['sd-like', 'old-names'])('autoencoder %s', (name) => {
  const absent = referencePath(`autoencoder/${name}`) === null;

  function load() {
    const weights = readSafetensors(
      readReference(`autoencoder/${name}/diffusion_pytorch_model.safetensors`)!,
    );
    const config = autoencoderConfig(
      weights,
      JSON.parse(readReferenceText(`autoencoder/${name}/config.json`)!),
    );
    return { weights, config, io: referenceArrays(`autoencoder/${name}/io.npz`) };
  }

  test.skipIf(absent).each(RUNTIMES)('encodes as the original (%s)', async (runtime) => {
    const { weights, config, io } = load();
    const session = await openSession(buildEncode(config, weights), { runtime });
    const result = await session.run({ pixels: io.get('pixels') });
    for (const output of ['mean', 'logvar']) {
      expect(result[output]!.shape).toEqual(io.get(output).shape);
      expect(result[output]!.data).toBeCloseTensor(io.get(output).data as Float32Array, {
        relativeToLargest: 2e-5,
      });
    }
  });

  test.skipIf(absent).each(RUNTIMES)('decodes as the original (%s)', async (runtime) => {
    const { weights, config, io } = load();
    const session = await openSession(buildDecode(config, weights), { runtime });
    const { pixels } = await session.run({ latents: io.get('latents') });
    expect(pixels!.shape).toEqual(io.get('decoded').shape);
    expect(pixels!.data).toBeCloseTensor(io.get('decoded').data as Float32Array, { relativeToLargest: 2e-5 });
  });
});
