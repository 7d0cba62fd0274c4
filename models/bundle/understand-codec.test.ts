import { expect, test } from 'vitest';
import { readSafetensors } from '../files/safetensors.ts';
import { weightsOf } from '../files/weights.ts';
import { exampleWeights } from '../testing/nanowm.ts';
import { readReference, readReferenceText } from '../testing/reference.ts';
import { understandAutoencoder } from './understand-codec.ts';
import { understandNanowm } from './understand.ts';

const weights = readSafetensors(readReference('autoencoder/old-names/diffusion_pytorch_model.safetensors')!);
const json = JSON.parse(readReferenceText('autoencoder/old-names/config.json')!) as Record<string, unknown>;
const model = (changes: object, config: object = {}) =>
  understandNanowm({
    weights: weightsOf(exampleWeights({ width: 16, headWidth: 8, patches: 16, ...changes })),
    config: { model: { causal: true }, ...config },
    hyperparameters: null,
  });

test('a config without a scaling factor is told which one is taken', () => {
  const { notes, architecture } = understandAutoencoder({ weights, config: json });
  expect(architecture.scalingFactor).toBe(0.18215);
  expect(notes).toEqual([
    "Its config has none: the scaling factor is taken to be 0.18215, Stable Diffusion's.",
  ]);
  const whole = { ...json, scaling_factor: 0.5 };
  expect(understandAutoencoder({ weights, config: whole }).notes).toEqual([]);
});

test('an autoencoder without a config is taken as far as its weights allow', () => {
  expect(() => understandAutoencoder({ weights, config: null })).toThrow(
    'invalid norm_num_groups: 32; it must divide every level',
  );
});

test('an autoencoder goes with a model that takes its latents, and the size of the frames is the weights', () => {
  const fits = understandAutoencoder({
    weights,
    config: { ...json, scaling_factor: 1 },
    denoiser: model({}),
  });
  expect(fits.notes).toEqual([]);
  const denoiser = model({}, { model: { image_size: 64, causal: true } });
  expect(understandAutoencoder({ weights, config: { ...json, scaling_factor: 1 }, denoiser }).notes).toEqual([
    'The config says images of 64 pixels; this autoencoder makes 16 of latents 8 wide, and that is used.',
  ]);
});

test('an autoencoder is refused by a model of other latents', () => {
  expect(() => understandAutoencoder({ weights, config: json, denoiser: model({ channels: 16 }) })).toThrow(
    'invalid autoencoder: latents of 4 channels; the model takes 16; give the autoencoder that it was trained with',
  );
  const semantic = model({ channels: 768 });
  expect(() => understandAutoencoder({ weights, config: json, denoiser: semantic })).toThrow(
    /^invalid autoencoder: semantic; leave it out: this model predicts features of an encoder.*pictures$/,
  );
});
