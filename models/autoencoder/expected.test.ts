import { describe, expect, test } from 'vitest';
import type { Tensor } from '../array/tensor.ts';
import { readSafetensors } from '../files/safetensors.ts';
import { weightsOf } from '../files/weights.ts';
import { tensor } from '../testing/nanowm.ts';
import { readReference, readReferenceText, referencePath } from '../testing/reference.ts';
import { autoencoderConfig } from './config.ts';
import { checkAutoencoder, expectedWeights } from './expected.ts';

const load = (name: string) => {
  const weights = readSafetensors(readReference(`autoencoder/${name}/diffusion_pytorch_model.safetensors`)!);
  return { weights, json: JSON.parse(readReferenceText(`autoencoder/${name}/config.json`)!) as unknown };
};

describe.each(['sd-like', 'old-names'])('the weights of an autoencoder: %s', (name) => {
  test.skipIf(referencePath(`autoencoder/${name}`) === null)(
    'are those that are expected, all of them',
    () => {
      const { weights, json } = load(name);
      const config = autoencoderConfig(weights, json);
      expect(checkAutoencoder(weights, config)).toEqual([]);
      expect([...expectedWeights(config, weights).keys()].sort()).toEqual([...weights.names].sort());
    },
  );
});

describe('a checkpoint of an autoencoder', () => {
  const { weights, json } = load('old-names');
  const config = autoencoderConfig(weights, json);
  const tensors = Object.fromEntries(weights.names.map((name) => [name, weights.get(name)]));
  const check = (changed: Record<string, Tensor>) => checkAutoencoder(weightsOf(changed), config);
  const without = (pattern: RegExp) =>
    Object.fromEntries(Object.entries(tensors).filter(([name]) => !pattern.test(name)));

  test('that lacks weights is told all of them', () => {
    expect(() => check(without(/^decoder\.conv_(?:in|out)\.bias/))).toThrow(
      /^missing weights \(2 of \d+\): decoder\.conv_in\.bias, decoder\.conv_out\.bias; the file is no complete AutoencoderKL/,
    );
    expect(() => check(without(/^decoder\./))).toThrow(/^missing weights .* and \d+ more; /);
  });

  test('may do without the middle attention and the outer layers, but not without a part of them', () => {
    expect(check(without(/attentions|^(?:post_)?quant_conv/))).toEqual([]);
    expect(() => check(without(/^quant_conv\.bias/))).toThrow(/^missing weight: quant_conv\.bias; /);
    expect(() => check(without(/encoder.*value\.weight/))).toThrow(
      /^missing weight: encoder\.mid_block\.attentions\.0\.value\.weight; /,
    );
  });

  test('of another shape is told what decides', () => {
    const broken = { ...tensors, 'decoder.up_blocks.0.resnets.1.conv2.weight': tensor([16, 32, 3, 3]) };
    expect(() => check(broken)).toThrow(
      'invalid weight: decoder.up_blocks.0.resnets.1.conv2.weight of shape [16, 32, 3, 3] where [32, 32, 3, 3] is ' +
        'needed, by the 32 channels of encoder.down_blocks.1.resnets.0.conv1.weight; the file mixes two models',
    );
  });

  test('that holds more is taken, and what is left out is said', () => {
    expect(check({ ...tensors, 'discriminator.weight': tensor([1]), 'loss.logvar': tensor([1]) })).toEqual([
      'A tensor that is no part of an AutoencoderKL is left out: discriminator.weight.',
    ]);
  });
});
