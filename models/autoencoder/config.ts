/** What an AutoencoderKL is made of: sizes read from its weights, and what only its config.json says. */
import { invalid, missing, unsupported } from '../errors.ts';
import type { Weights } from '../files/weights.ts';

export interface AutoencoderConfig {
  /** Channels of the latents: C. */
  readonly latentChannels: number;
  /** Channels of each level, from full resolution to the latents'. */
  readonly blockChannels: readonly number[];
  /** Resnets of a down block; an up block has one more. */
  readonly layersPerBlock: number;
  /** Groups of every GroupNorm. */
  readonly groups: number;
  /** Latents as the denoiser sees them = mean * scalingFactor. */
  readonly scalingFactor: number;
  /** Image side / latent side. */
  readonly downsampling: number;
  /** Side of the images that it was trained on, in pixels; null when the config does not say. */
  readonly imageSize: number | null;
}

/** Stable Diffusion's, also where a config lacks it (facts/nanowm.md section 7). */
const SCALING_FACTOR = 0.18215;
/** Diffusers' default. */
const GROUPS = 32;

/**
 * The architecture of a diffusers checkpoint.
 *
 * @param json the parsed config.json
 * @throws one sentence when it is no AutoencoderKL, or one with parts that we do not build
 */
export function autoencoderConfig(weights: Weights, json: unknown = {}): AutoencoderConfig {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalid('autoencoder config', json, "give diffusers' config.json, an object");
  }
  const said = json as Record<string, unknown>;
  rejectOtherKinds(said);
  const blockChannels = channelsOfLevels(weights);
  for (const part of ['quant_conv', 'post_quant_conv']) {
    // Older models do without; one that says it has the layer is not whole without its weights.
    if (said[`use_${part}`] === true && !weights.has(`${part}.weight`)) {
      throw missing('weight', `${part}.weight`, `the config says use_${part}; get the whole file`);
    }
  }
  const groups = positive(said, 'norm_num_groups') ?? GROUPS;
  const odd = blockChannels.find((channels) => channels % groups !== 0);
  if (odd !== undefined) {
    throw invalid('norm_num_groups', groups, `it must divide every level's channels, and one has ${odd}`);
  }
  return {
    latentChannels: sideOf(weights, 'decoder.conv_in.weight', 1),
    blockChannels,
    layersPerBlock: countOf(weights, /^encoder\.down_blocks\.0\.resnets\.(\d+)\./),
    groups,
    scalingFactor: positive(said, 'scaling_factor') ?? SCALING_FACTOR,
    downsampling: 2 ** (blockChannels.length - 1),
    imageSize: positive(said, 'sample_size'),
  };
}

function channelsOfLevels(weights: Weights): number[] {
  const levels = countOf(weights, /^encoder\.down_blocks\.(\d+)\./);
  if (levels === 0) {
    const remedy =
      "these are not the weights of an AutoencoderKL; give diffusers' diffusion_pytorch_model.safetensors";
    throw missing('weight', 'encoder.down_blocks.0.resnets.0.conv1.weight', remedy);
  }
  return Array.from({ length: levels }, (_, level) =>
    sideOf(weights, `encoder.down_blocks.${level}.resnets.0.conv1.weight`, 0),
  );
}

function countOf(weights: Weights, pattern: RegExp): number {
  return new Set(weights.names.flatMap((name) => pattern.exec(name)?.[1] ?? [])).size;
}

function sideOf(weights: Weights, name: string, axis: number): number {
  const shape = weights.shape(name);
  if (shape.length !== 4) {
    throw invalid('weight', `${name} of shape [${shape.join(', ')}]`, 'a convolution has 4 sides there');
  }
  return shape[axis]!;
}

function positive(said: Record<string, unknown>, field: string): number | null {
  const value = said[field];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw invalid(`${field} in the autoencoder config`, value, 'give a positive number');
}

/** Fields that would change the mathematics, with the values that keep it. */
const SAME: Readonly<Record<string, readonly unknown[]>> = {
  _class_name: ['AutoencoderKL'],
  act_fn: ['silu', 'swish'],
  shift_factor: [null, 0],
  latents_mean: [null],
  latents_std: [null],
};

function rejectOtherKinds(said: Record<string, unknown>): void {
  for (const [field, values] of Object.entries(SAME)) {
    const value = said[field];
    if (value !== undefined && !values.includes(value)) {
      throw unsupported(
        `${field} in the autoencoder config`,
        value,
        `only ${JSON.stringify(values[0])} is built here`,
      );
    }
  }
  for (const field of ['down_block_types', 'up_block_types']) {
    const types = said[field];
    const other = Array.isArray(types)
      ? types.find((type) => !/^(?:Down|Up)(?:En|De)coderBlock2D$/.test(String(type)))
      : undefined;
    if (other !== undefined) {
      throw unsupported(
        `${field} in the autoencoder config`,
        other,
        'only DownEncoderBlock2D and UpDecoderBlock2D are built here',
      );
    }
  }
}
