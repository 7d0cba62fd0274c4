import { describe, expect, test } from 'vitest';
import type { Tensor } from '../array/tensor.ts';
import { readSafetensors } from '../files/safetensors.ts';
import { weightsOf } from '../files/weights.ts';
import { parseYaml } from '../files/yaml.ts';
import { exampleWeights, tensor } from '../testing/nanowm.ts';
import { readReference, readReferenceText, referencePath } from '../testing/reference.ts';
import { nanowmConfig } from './config.ts';
import { configFromHydra } from './hydra.ts';
import { openNanowm } from './weights.ts';

const config = (tensors: Record<string, Tensor>, facts = {}) =>
  nanowmConfig(openNanowm(weightsOf(tensors)), facts);

describe('the architecture of a checkpoint', () => {
  test('is read from the sizes of its weights', () => {
    expect(
      config(exampleWeights({ width: 16, depth: 3, patches: 9, patch: 4, frames: 5, actionWidth: 7 })),
    ).toEqual({
      frames: 5,
      channels: 4,
      latentHeight: 12,
      latentWidth: 12,
      patch: 4,
      width: 16,
      depth: 3,
      heads: 4,
      actionWidth: 7,
      injection: 'additive',
      causal: true,
    });
  });

  test.skipIf(referencePath('nanowm/csgo') === null)(
    'is that of the weights where the config names a larger one',
    () => {
      const weights = openNanowm(readSafetensors(readReference('nanowm/csgo/model.safetensors')!));
      const facts = configFromHydra(parseYaml(readReferenceText('nanowm/csgo/config.yaml')!));
      const { width, heads, frames, actionWidth } = nanowmConfig(weights, facts);
      expect({ width, heads, frames, actionWidth }).toEqual({
        width: 64,
        heads: 4,
        frames: 8,
        actionWidth: 51,
      });
    },
  );

  test('takes the injection from the weights, and from the config where two look the same', () => {
    const plain = exampleWeights();
    const film = { ...plain, 'blocks.0.film_modulation.1.weight': tensor([16, 8]) };
    expect(config(film, { injection: 'additive' }).injection).toBe('film');
    expect(config(plain, { injection: 'film' }).injection).toBe('additive');
    expect(config(plain, { injection: 'adaln_fuse' }).injection).toBe('adaln_fuse');
  });

  test('is causal unless the config says otherwise', () => {
    expect(config(exampleWeights()).causal).toBe(true);
    expect(config(exampleWeights(), { causal: null }).causal).toBe(true);
    expect(config(exampleWeights(), { causal: false }).causal).toBe(false);
  });

  test.each([
    [{ patches: 6 }, /^unsupported number of patches: 6; /],
    [{ width: 12, headWidth: 8 }, /^invalid head width: 8; it must divide the token width 12/],
    [{ width: 12, headWidth: 6 }, /^unsupported head width: 6; .* multiple of 4/],
    [{ frames: 1 }, /^unsupported number of frames: 1; /],
  ])('makes one sentence of sizes that no NanoWM has: %j', (sizes, sentence) => {
    expect(() => config(exampleWeights(sizes))).toThrow(sentence);
  });
});

describe("a checkpoint's config", () => {
  test('gives what it says and null for what it leaves to the environment', () => {
    const text =
      'model: { causal: false, num_frames: "${frames}", scheduling_mode: "${mode}" }\ndataset: { name: rt1 }';
    const facts = configFromHydra(parseYaml(text));
    expect(facts).toMatchObject({
      causal: false,
      frames: null,
      schedulingMode: null,
      dataset: 'rt1',
      injection: null,
    });
  });

  test('is followed where it refers to itself, and not for ever', () => {
    const text = `
size: { latent: 16 }
model: { latent_size: "\${size.latent}", num_frames: "\${model.latent_size}", latent_channels: "\${loop.a}" }
loop: { a: "\${loop.b}", b: "\${loop.a}" }
latent_codec: { name: webdino }`;
    expect(configFromHydra(parseYaml(text))).toMatchObject({
      latentSize: 16,
      frames: 16,
      latentChannels: null,
      codec: 'webdino',
    });
  });

  test.each([
    [
      'model: { action_injection: { type: telepathy } }',
      /^unknown action injection: telepathy; use additive/,
    ],
    ['experiment: { diffusion: { noise_schedule: zigzag } }', /^unknown noise schedule: zigzag; use linear/],
    ['experiment: { diffusion: { pred_name: w } }', /^unknown prediction type: w; use v/],
  ])('makes one sentence of a word that nobody knows: %s', (text, sentence) => {
    expect(() => configFromHydra(parseYaml(text))).toThrow(sentence);
  });

  test.each([
    [{ model: { causal: 'maybe' } }, 'invalid model.causal in the config: maybe; give true or false'],
    [
      { experiment: { diffusion: { zero_terminal_snr: 7 } } },
      'invalid experiment.diffusion.zero_terminal_snr in the config: 7; give true or false',
    ],
    [
      { experiment: { diffusion: { diffusion_steps: 'many' } } },
      'invalid experiment.diffusion.diffusion_steps in the config: many; give a number',
    ],
  ])('refuses a value that would silently become a default: %j', (document, sentence) => {
    expect(() => configFromHydra(document)).toThrow(sentence);
    expect(configFromHydra({ model: { causal: '${other}' } }).causal).toBeNull();
  });

  test('may be anything at all', () => {
    for (const document of [null, 'text', 3, [], {}]) expect(configFromHydra(document).injection).toBeNull();
  });
});
