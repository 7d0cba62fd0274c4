import { describe, expect, onTestFinished, test } from 'vitest';
import { autoencoderConfig } from '../../models/autoencoder/config.ts';
import { buildDecode } from '../../models/autoencoder/decode.ts';
import { buildEncode } from '../../models/autoencoder/encode.ts';
import { readSafetensors } from '../../models/files/safetensors.ts';
import { weightsOf } from '../../models/files/weights.ts';
import { tensor } from '../../models/testing/nanowm.ts';
import {
  readReference,
  readReferenceText,
  referenceArrays,
  referencePath,
} from '../../models/testing/reference.ts';
import { RUNTIMES } from '../testing/runtimes.ts';
import { openSession } from './session.ts';

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
    onTestFinished(() => session.release());
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
    onTestFinished(() => session.release());
    const { pixels } = await session.run({ latents: io.get('latents') });
    expect(pixels!.shape).toEqual(io.get('decoded').shape);
    expect(pixels!.data).toBeCloseTensor(io.get('decoded').data as Float32Array, { relativeToLargest: 2e-5 });
  });
});

describe('autoencoder graphs', () => {
  const absent = referencePath('autoencoder/old-names') === null;

  test.skipIf(absent)('take images of any size and number, each by itself', async () => {
    const weights = readSafetensors(
      readReference('autoencoder/old-names/diffusion_pytorch_model.safetensors')!,
    );
    const config = autoencoderConfig(weights, { norm_num_groups: 4 });
    const encode = await openSession(buildEncode(config, weights), { runtime: 'wasm' });
    const decode = await openSession(buildDecode(config, weights), { runtime: 'wasm' });
    onTestFinished(async () => void (await Promise.all([encode.release(), decode.release()])));
    const pixels = tensor([3, 3, 20, 12]);
    const { mean } = await encode.run({ pixels });
    expect(mean!.shape).toEqual([3, 4, 10, 6]);
    const back = await decode.run({ latents: mean! });
    expect(back.pixels!.shape).toEqual([3, 3, 20, 12]);
    const last = { ...pixels, shape: [1, 3, 20, 12], data: pixels.data.subarray(2 * 720) };
    const alone = await encode.run({ pixels: last });
    expect(alone.mean!.data).toBeCloseTensor(mean!.data.slice(2 * 240) as Float32Array, {
      relativeToLargest: 1e-6,
    });
  });

  test.skipIf(absent)('do without the middle attention and the outer 1x1 convolutions', async () => {
    const whole = readSafetensors(
      readReference('autoencoder/old-names/diffusion_pytorch_model.safetensors')!,
    );
    const kept = whole.names.filter((name) => !/attentions|^(?:post_)?quant_conv/.test(name));
    const weights = weightsOf(Object.fromEntries(kept.map((name) => [name, whole.get(name)])));
    const config = autoencoderConfig(weights, { norm_num_groups: 4 });
    const encode = await openSession(buildEncode(config, weights), { runtime: 'wasm' });
    onTestFinished(() => encode.release());
    const { mean, logvar } = await encode.run({ pixels: tensor([1, 3, 8, 8]) });
    expect([mean!.shape, logvar!.shape]).toEqual([
      [1, 4, 4, 4],
      [1, 4, 4, 4],
    ]);
    expect(mean!.data).not.toBeCloseTensor(logvar!.data as Float32Array);
  });
});
