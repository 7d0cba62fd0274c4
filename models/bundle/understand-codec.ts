/** What a checkpoint of an autoencoder is, and whether it goes with a denoiser. */
import { autoencoderConfig } from '../autoencoder/config.ts';
import type { AutoencoderConfig } from '../autoencoder/config.ts';
import { checkAutoencoder } from '../autoencoder/expected.ts';
import { invalid } from '../errors.ts';
import type { Weights } from '../files/weights.ts';
import { finiteWeights } from '../onnx/finite.ts';
import type { AutoencoderPart } from './build.ts';
import { whyNoPictures } from './latents.ts';
import type { Understanding } from './understand.ts';

export interface CodecCheckpoint {
  readonly weights: Weights;
  /** Parsed config.json; null when there is none. */
  readonly config: unknown;
  /** The model whose latents it is for; null for an autoencoder alone. */
  readonly denoiser?: Understanding | null;
  readonly onRead?: (bytes: number) => void;
}

export interface CodecUnderstanding {
  /** For buildBundle; its weights are looked at for NaN as they are read. */
  readonly part: AutoencoderPart;
  readonly architecture: AutoencoderConfig;
  readonly notes: readonly string[];
}

/**
 * Reads names and shapes only.
 * @throws one sentence: no AutoencoderKL, weights that are missing or misshapen, a config of another kind, latents
 * that the denoiser does not take
 */
export function understandAutoencoder(checkpoint: CodecCheckpoint): CodecUnderstanding {
  const { weights, config, denoiser = null, onRead } = checkpoint;
  const architecture = autoencoderConfig(weights, config ?? {});
  const notes = checkAutoencoder(weights, architecture);
  const said = (config ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof said.scaling_factor !== 'number') {
    const source = config === null ? 'There is no config of the autoencoder' : 'Its config has none';
    notes.push(
      `${source}: the scaling factor is taken to be ${architecture.scalingFactor}, Stable Diffusion's.`,
    );
  }
  if (config === null)
    notes.push(
      `Without a config the norms of the autoencoder are taken to have ${architecture.groups} groups.`,
    );
  if (denoiser !== null) notes.push(...matched(architecture, denoiser));
  return { part: { weights: finiteWeights(weights, onRead), config: config ?? {} }, architecture, notes };
}

/** @throws when the denoiser's latents are not those of this autoencoder */
function matched(codec: AutoencoderConfig, { architecture, latents, facts }: Understanding): string[] {
  const reason = whyNoPictures(latents);
  if (reason !== null) throw invalid('autoencoder', latents, `leave it out: ${lower(reason)}`);
  const { channels, latentWidth } = architecture;
  if (codec.latentChannels !== channels) {
    const remedy = `the model takes ${channels}; give the autoencoder that it was trained with`;
    throw invalid('autoencoder', `latents of ${codec.latentChannels} channels`, remedy);
  }
  const side = latentWidth * codec.downsampling;
  if (facts.imageSize === null || facts.imageSize === side) return [];
  return [
    `The config says images of ${facts.imageSize} pixels; this autoencoder makes ${side} of latents ${latentWidth} wide, and that is used.`,
  ];
}

/** A sentence as the second half of another one. */
function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}
