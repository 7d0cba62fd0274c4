/** Every weight that a NanoWM has (facts/nanowm.md section 1), and what a checkpoint has instead. */
import { missing, PlaygroundError } from '../errors.ts';
import { compareWeights, listed } from '../onnx/expected.ts';
import type { ExpectedWeight } from '../onnx/expected.ts';
import { headWidthOf, patchesOf } from './config.ts';
import type { NanowmConfig } from './config.ts';
import { SINUSOID_WIDTH } from './timesteps.ts';
import type { NanowmWeights } from './weights.ts';

/** The weights that say the sizes: without them nothing else can be judged. */
const LANDMARKS = [
  'x_embedder.proj.weight',
  'pos_embed',
  'temp_embed',
  'blocks.0.attn.q_norm.weight',
  'action_embedder.mlp.0.weight',
] as const;

/**
 * Tables of the rotary embedding (older checkpoints keep them, they are computed), and what moving averages
 * count beside the weights.
 */
const HARMLESS =
  /(?:^|\.)(?:(?:spatial_|temporal_)?rope_freqs|n_averaged|num_updates|decay|initted|step|epoch)$/;

/** Names, shapes and what decides about them, of all weights of the model. */
export function expectedWeights(config: NanowmConfig): Map<string, ExpectedWeight> {
  const { width, channels, patch, frames, actionWidth, depth } = config;
  const expected = new Map<string, ExpectedWeight>();
  const wide = `the width ${width} of x_embedder.proj.weight`;
  const put = (name: string, shape: readonly number[], by = wide) => void expected.set(name, { shape, by });
  const layer = (name: string, outputs: number, inputs: number, by = wide) => {
    put(`${name}.weight`, [outputs, inputs], by);
    put(`${name}.bias`, [outputs], by);
  };
  put('x_embedder.proj.weight', [width, channels, patch, patch]);
  put('x_embedder.proj.bias', [width]);
  put('pos_embed', [1, patchesOf(config), width]);
  put('temp_embed', [1, frames, width]);
  layer('t_embedder.mlp.0', width, SINUSOID_WIDTH, `${wide} and a sinusoid of ${SINUSOID_WIDTH}`);
  layer('t_embedder.mlp.2', width, width);
  layer('action_embedder.mlp.0', width, actionWidth);
  layer('action_embedder.mlp.2', width, width);
  for (let index = 0; index < depth; index++) putBlock(config, `blocks.${index}`, put, layer);
  layer('final_layer.adaLN_modulation.1', 2 * width, width);
  const token = patch * patch * channels;
  layer('final_layer.linear', token, width, `the patch of ${patch} x ${patch} x ${channels} and ${wide}`);
  return expected;
}

type Put = (name: string, shape: readonly number[], by?: string) => void;
type Layer = (name: string, outputs: number, inputs: number) => void;

function putBlock(config: NanowmConfig, name: string, put: Put, layer: Layer): void {
  const { width, injection } = config;
  const head = headWidthOf(config);
  const ofHead = `the head width ${head} of blocks.0.attn.q_norm.weight`;
  layer(`${name}.attn.qkv`, 3 * width, width);
  layer(`${name}.attn.proj`, width, width);
  put(`${name}.attn.q_norm.weight`, [head], ofHead);
  put(`${name}.attn.k_norm.weight`, [head], ofHead);
  put(`${name}.mlp.w1.weight`, [4 * width, width]);
  put(`${name}.mlp.w2.weight`, [4 * width, width]);
  put(`${name}.mlp.w3.weight`, [width, 4 * width]);
  layer(`${name}.adaLN_modulation.1`, 6 * width, width);
  switch (injection) {
    case 'adaln':
      return layer(`${name}.action_adaLN_modulation.1`, 6 * width, width);
    case 'film':
      return layer(`${name}.film_modulation.1`, 2 * width, width);
    case 'cross_attention':
      layer(`${name}.cross_attn.q`, width, width);
      layer(`${name}.cross_attn.kv`, 2 * width, width);
      layer(`${name}.cross_attn.proj`, width, width);
      return put(`${name}.cross_gate`, [width]);
    case 'additive':
    case 'adaln_fuse':
      return;
  }
}

/**
 * Looks for the weights that say the sizes, before `nanowmConfig` reads them.
 * @throws one sentence that lists those that are not there
 */
export function checkLandmarks({ names }: NanowmWeights): void {
  const absent = LANDMARKS.filter((name) => !names.includes(name));
  if (absent.length === 0) return;
  const actions = names.some((name) => name.startsWith('action_embedder.'));
  if (absent.length === 1 && !actions) {
    throw missing('weight', absent[0], 'this NanoWM was trained without actions; give one that takes them');
  }
  const noun = absent.length === 1 ? 'weight' : 'weights';
  const remedy = 'they say the sizes of a NanoWM; get the file again or export it with all parts';
  throw new PlaygroundError('missing', `missing ${noun}: ${listed(absent)}; ${remedy}`);
}

/**
 * Looks at names and shapes only.
 * @returns sentences about what is there and not needed
 * @throws one sentence that lists what is missing or has another shape
 */
export function checkNanowm(weights: NanowmWeights, config: NanowmConfig): string[] {
  const expected = expectedWeights(config);
  const found = { names: weights.names, shape: (name: string) => weights.shape(name) };
  return compareWeights(found, { model: 'NanoWM', expected, harmless: HARMLESS });
}
