import { describe, expect, test } from 'vitest';
import type { Tensor } from '../array/tensor.ts';
import { readSafetensors } from '../files/safetensors.ts';
import { weightsOf } from '../files/weights.ts';
import type { Weights } from '../files/weights.ts';
import { readReference, readReferenceText } from '../testing/reference.ts';
import { autoencoderConfig } from './config.ts';
import { buildDecode } from './decode.ts';
import { buildEncode } from './encode.ts';

const weights = readSafetensors(readReference('autoencoder/old-names/diffusion_pytorch_model.safetensors')!);
const json = JSON.parse(readReferenceText('autoencoder/old-names/config.json')!) as Record<string, unknown>;

/** The same weights with some replaced, or left out when undefined. */
function changed(changes: Record<string, Tensor | undefined>): Weights {
  const kept = weights.names
    .filter((name) => !(name in changes))
    .map((name) => [name, weights.get(name)] as const);
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return weightsOf(Object.fromEntries([...kept, ...added]));
}

describe('the architecture of an autoencoder', () => {
  test('is read from its weights, with the scaling factor of Stable Diffusion where the config has none', () => {
    expect(json).not.toHaveProperty('scaling_factor');
    expect(autoencoderConfig(weights, json)).toEqual({
      latentChannels: 4,
      blockChannels: [16, 32],
      layersPerBlock: 1,
      groups: 4,
      scalingFactor: 0.18215,
      downsampling: 2,
      imageSize: 32,
    });
  });

  test.each([
    [{ act_fn: 'gelu' }, /^unsupported act_fn in the autoencoder config: gelu/],
    [{ _class_name: 'VQModel' }, /^unsupported _class_name in the autoencoder config: VQModel/],
    [{ shift_factor: 0.1 }, /^unsupported shift_factor in the autoencoder config: 0.1/],
    [{ down_block_types: ['AttnDownBlock2D'] }, /^unsupported down_block_types .*: AttnDownBlock2D/],
    [{ norm_num_groups: 5 }, /^invalid norm_num_groups: 5; it must divide/],
    [{ norm_num_groups: -4 }, /^invalid norm_num_groups in the autoencoder config: -4/],
    [{ scaling_factor: 'big' }, /^invalid scaling_factor in the autoencoder config: big/],
  ])('makes one sentence of a config that is not ours to build: %j', (change, sentence) => {
    expect(() => autoencoderConfig(weights, { ...json, ...change })).toThrow(sentence);
  });

  test.each([null, [], 'text', 3])('makes one sentence of a config that is no object: %j', (config) => {
    expect(() => autoencoderConfig(weights, config)).toThrow(/^invalid autoencoder config/);
  });

  test('misses a layer that the config says is there, and takes a model that does without', () => {
    const without = changed({ 'quant_conv.weight': undefined, 'quant_conv.bias': undefined });
    expect(() => autoencoderConfig(without, { ...json, use_quant_conv: true })).toThrow(
      'missing weight: quant_conv.weight; the config says use_quant_conv; get the whole file',
    );
    expect(autoencoderConfig(without, { ...json, use_quant_conv: false }).latentChannels).toBe(4);
  });

  test('makes one sentence of weights that are no autoencoder', () => {
    expect(() => autoencoderConfig(weightsOf({}), json)).toThrow(/^missing weight: encoder.down_blocks.0/);
  });
});

describe('graphs of an autoencoder', () => {
  const config = autoencoderConfig(weights, json);

  test.each(['encoder.down_blocks.1.resnets.0.conv1.weight', 'encoder.mid_block.attentions.0.key.bias'])(
    'make one sentence of a missing %s',
    (name) => {
      expect(() => buildEncode(config, changed({ [name]: undefined }))).toThrow(
        new RegExp(`^missing weight: ${name}; `),
      );
    },
  );

  test('make one sentence of a misshapen kernel', () => {
    const name = 'decoder.up_blocks.0.upsamplers.0.conv.weight';
    const kernel = weights.get(name);
    const other = { ...kernel, shape: [...kernel.shape.slice(0, 2), 9, 1] };
    expect(() => buildDecode(config, changed({ [name]: other }))).toThrow(
      /^invalid weight: decoder\.up_blocks\.0\.upsamplers\.0\.conv\.weight of shape \[32, 32, 9, 1\]/,
    );
  });
});
