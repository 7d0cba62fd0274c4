/** Small NanoWMs with made-up weights, for tests that need no golden data. */
import type { Tensor } from '../array/tensor.ts';

export interface Sizes {
  readonly width?: number;
  readonly headWidth?: number;
  readonly depth?: number;
  readonly patches?: number;
  readonly patch?: number;
  readonly frames?: number;
  readonly channels?: number;
  readonly actionWidth?: number;
}

/** The weights of an additive NanoWM under their own names; values are small and differ from each other. */
export function exampleWeights(sizes: Sizes = {}): Record<string, Tensor> {
  const { width = 8, headWidth = 4, depth = 2, patches = 4, patch = 2, frames = 3 } = sizes;
  const { channels = 4, actionWidth = 2 } = sizes;
  const shapes: Record<string, readonly number[]> = {
    'x_embedder.proj.weight': [width, channels, patch, patch],
    'x_embedder.proj.bias': [width],
    pos_embed: [1, patches, width],
    temp_embed: [1, frames, width],
    ...layer('t_embedder.mlp.0', width, 256),
    ...layer('t_embedder.mlp.2', width, width),
    ...layer('action_embedder.mlp.0', width, actionWidth),
    ...layer('action_embedder.mlp.2', width, width),
    ...layer('final_layer.adaLN_modulation.1', 2 * width, width),
    ...layer('final_layer.linear', patch * patch * channels, width),
  };
  for (let index = 0; index < depth; index++) {
    Object.assign(shapes, blockShapes(`blocks.${index}`, width, headWidth));
  }
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, tensor(shape)]));
}

/** float32, of the given shape, with values from -0.5 to 0.5. */
export function tensor(shape: readonly number[]): Tensor<'float32'> {
  const size = shape.reduce((product, side) => product * side, 1);
  return {
    dtype: 'float32',
    shape,
    data: Float32Array.from({ length: size }, (_, i) => Math.sin(i + 1) / 2),
  };
}

function blockShapes(name: string, width: number, headWidth: number): Record<string, readonly number[]> {
  return {
    ...layer(`${name}.attn.qkv`, 3 * width, width),
    ...layer(`${name}.attn.proj`, width, width),
    [`${name}.attn.q_norm.weight`]: [headWidth],
    [`${name}.attn.k_norm.weight`]: [headWidth],
    [`${name}.mlp.w1.weight`]: [4 * width, width],
    [`${name}.mlp.w2.weight`]: [4 * width, width],
    [`${name}.mlp.w3.weight`]: [width, 4 * width],
    ...layer(`${name}.adaLN_modulation.1`, 6 * width, width),
  };
}

function layer(name: string, outputs: number, inputs: number): Record<string, readonly number[]> {
  return { [`${name}.weight`]: [outputs, inputs], [`${name}.bias`]: [outputs] };
}
