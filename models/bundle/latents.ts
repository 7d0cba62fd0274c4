/** What a denoiser's latents are, and whether they can be turned into pictures. */
import type { Manifest } from './manifest.ts';

/** Of an AutoencoderKL; of an encoder without a decoder, by name or just some; the pixels themselves. */
export const LATENTS = ['autoencoder-kl', 'webdino', 'vjepa2_1', 'semantic', 'pixel'] as const;
export type Latents = (typeof LATENTS)[number];

/** Autoencoders have at most 32 channels; features of an encoder have hundreds. */
const MOST_CHANNELS = 64;

/** The names that configs have for them (`latent_codec.kind`). */
const NAMES: Readonly<Record<string, Latents>> = {
  sd_vae: 'autoencoder-kl',
  vae: 'autoencoder-kl',
  webdino: 'webdino',
  vjepa2_1: 'vjepa2_1',
  pixel: 'pixel',
};

/**
 * @param said what the config calls the codec, or null
 * @param channels of the latents, by the weights
 * @returns the kind, and a sentence where the config is not followed
 */
export function latentsOf(said: string | null, channels: number): { latents: Latents; note: string | null } {
  const byWeights = channels > MOST_CHANNELS ? 'semantic' : 'autoencoder-kl';
  if (said === null) return { latents: byWeights, note: null };
  const named = Object.hasOwn(NAMES, said) ? NAMES[said] : null;
  if (named === null) {
    const note = `The config names the codec ${said}, which nobody here knows; by its ${channels} channels it is taken for ${WORDS[byWeights]}.`;
    return { latents: byWeights, note };
  }
  if (named !== 'autoencoder-kl' || byWeights === named) return { latents: named, note: null };
  const note = `The config names the codec ${said}; the weights take ${channels} channels, which no such codec has, so they are taken for ${WORDS[byWeights]}.`;
  return { latents: byWeights, note };
}

const WORDS: Readonly<Record<Latents, string>> = {
  'autoencoder-kl': 'latents of an autoencoder',
  webdino: 'features of WebDINO',
  vjepa2_1: 'features of V-JEPA 2.1',
  semantic: 'features of an encoder',
  pixel: 'pixels',
};

/** Why such latents make no pictures here: a sentence, or null when an autoencoder turns them into some. */
export function whyNoPictures(latents: Latents): string | null {
  if (latents === 'autoencoder-kl') return null;
  if (latents === 'pixel') {
    return 'This model works on pixels without a codec, which nothing here shows: rollouts take a clip of latents (pixels in [-1, 1]) and give latents.';
  }
  return `This model predicts ${WORDS[latents]}, for which there is no decoder: rollouts take a clip of latents and give latents, not pictures.`;
}

/** Why a rollout of this bundle has no pictures; null when it has a codec. */
export function picturesMissing({ denoiser, codec }: Manifest): string | null {
  if (codec) return null;
  return (
    whyNoPictures(denoiser?.latents ?? 'autoencoder-kl') ??
    'This bundle has no codec: rollouts take a clip of latents and give latents, not pictures.'
  );
}
