/** Parameters of the published models, and bytes of their bundles, from the shapes of their weights. */
import { expectedWeights as autoencoderWeights } from '../../../models/autoencoder/expected.ts';
import { weightsOf } from '../../../models/files/weights.ts';
import type { NanowmConfig } from '../../../models/nanowm/config.ts';
import { expectedWeights as nanowmWeights } from '../../../models/nanowm/expected.ts';
import { TIMESTEPS } from '../../../models/nanowm/timesteps.ts';
import { BLOCK } from '../../../models/onnx/quantise.ts';
import { bitsOf, STORAGES } from '../../../models/onnx/storage.ts';
import type { Storage } from '../../../models/onnx/storage.ts';

export interface Sizes {
  readonly parameters: number;
  /** Of the weights in a bundle; its graphs add less than a per cent. */
  readonly bytes: Readonly<Record<Storage, number>>;
}

export function nanowmSizes(config: NanowmConfig): Sizes {
  const shapes = new Map([...nanowmWeights(config)].map(([name, { shape }]) => [name, shape]));
  const parameters = sum([...shapes.values()].map(volume));
  const kept = new Map([...shapes].filter(([name]) => !name.startsWith('t_embedder.')));
  return {
    parameters,
    bytes: each((storage) => {
      // In place of its two layers the graph has what they make of each timestep.
      const table = TIMESTEPS * config.width * (storage === 'fp32' ? 4 : 2);
      return table + sum([...kept.values()].map((shape) => bytesOf(shape, storage)));
    }),
  };
}

/** Of an AutoencoderKL; left out, of Stable Diffusion's (facts/nanowm.md section 7). */
export function autoencoderSizes(blockChannels: readonly number[] = [128, 256, 512, 512]): Sizes {
  const config = { latentChannels: 4, blockChannels, layersPerBlock: 2, groups: 32 };
  const scalars = { scalingFactor: 0.18215, downsampling: 8, imageSize: null };
  const shapes = [...autoencoderWeights({ ...config, ...scalars }, weightsOf(OPTIONAL_LAYERS))];
  return {
    parameters: sum(shapes.map(([, { shape }]) => volume(shape))),
    bytes: each((storage) =>
      sum(
        shapes.map(([name, { shape }]) => {
          // The graph keeps an upsampling convolution of 3 x 3 as four of 2 x 2.
          const copies = name.includes('.upsamplers.') ? (shape.length === 4 ? 16 / 9 : 4) : 1;
          return copies * bytesOf(shape, storage);
        }),
      ),
    ),
  };
}

const NOTHING = { dtype: 'float32', shape: [0], data: new Float32Array(0) } as const;
/** Names that say that a file has these layers. */
const OPTIONAL_LAYERS = {
  'quant_conv.weight': NOTHING,
  'post_quant_conv.weight': NOTHING,
  'encoder.mid_block.attentions.0.to_q.weight': NOTHING,
  'decoder.mid_block.attentions.0.to_q.weight': NOTHING,
};

/** Vectors and tables stay float32, kernels are halves at least; only whole blocks of a matrix are quantised. */
function bytesOf(shape: readonly number[], storage: Storage): number {
  const numbers = volume(shape);
  const bits = bitsOf(storage);
  if (storage === 'fp32' || (shape.length !== 2 && shape.length !== 4)) return 4 * numbers;
  const inBlocks = bits !== null && shape.length === 2 && shape[1]! % BLOCK === 0;
  return inBlocks ? numbers * (bits / 8 + 2 / BLOCK) : 2 * numbers;
}

function each(bytes: (storage: Storage) => number): Record<Storage, number> {
  return Object.fromEntries(STORAGES.map((storage) => [storage, bytes(storage)])) as Record<Storage, number>;
}

function volume(shape: readonly number[]): number {
  return shape.reduce((product, side) => product * side, 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
