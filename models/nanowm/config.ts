/** What a NanoWM is made of: sizes read from its weights, and the few things that only its config says. */
import { invalid, unsupported } from '../errors.ts';
import type { HydraFacts } from './hydra.ts';
import type { Injection } from './injections.ts';
import type { NanowmWeights } from './weights.ts';

export interface NanowmConfig {
  /** Frames of one window: F. */
  readonly frames: number;
  /** Latent channels: C. */
  readonly channels: number;
  readonly latentHeight: number;
  readonly latentWidth: number;
  /** Side of a square patch, in latent pixels. */
  readonly patch: number;
  /** Width of a token: D. */
  readonly width: number;
  /** Number of blocks; even ones are spatial, odd ones temporal. */
  readonly depth: number;
  readonly heads: number;
  /** Width of the action that the network takes for one frame: A. */
  readonly actionWidth: number;
  readonly injection: Injection;
  /** Whether a frame sees only itself and earlier frames. */
  readonly causal: boolean;
}

/** Patches of one frame: P. */
export function patchesOf(config: NanowmConfig): number {
  return (config.latentHeight / config.patch) * (config.latentWidth / config.patch);
}

export function headWidthOf(config: NanowmConfig): number {
  return config.width / config.heads;
}

/**
 * The architecture of a checkpoint. Sizes come from the weights; where weights and config disagree, the
 * weights are right (the published configs name a standard size whatever was trained). Without a config,
 * or where it says nothing: additive and causal, the defaults of the original.
 *
 * @throws one sentence when the weights do not fit together.
 */
export function nanowmConfig(weights: NanowmWeights, facts: Partial<HydraFacts> = {}): NanowmConfig {
  const [width, channels, patch] = weights.shape('x_embedder.proj.weight', 4) as [number, number, number];
  const patches = weights.shape('pos_embed', 3)[1]!;
  const grid = Math.sqrt(patches);
  if (!Number.isInteger(grid)) {
    throw unsupported('number of patches', patches, 'a NanoWM has a square grid of patches; check pos_embed');
  }
  const headWidth = weights.shape('blocks.0.attn.q_norm.weight', 1)[0]!;
  if (width % headWidth !== 0) {
    throw invalid('head width', headWidth, `it must divide the token width ${width}; check q_norm.weight`);
  }
  if (headWidth % 4 !== 0) {
    throw unsupported('head width', headWidth, 'rotary embedding of rows and columns needs a multiple of 4');
  }
  const frames = weights.shape('temp_embed', 3)[1]!;
  if (frames < 2) throw unsupported('number of frames', frames, 'a window has at least 2 frames');
  return {
    frames,
    channels,
    latentHeight: grid * patch,
    latentWidth: grid * patch,
    patch,
    width,
    depth: depthOf(weights),
    heads: width / headWidth,
    actionWidth: weights.shape('action_embedder.mlp.0.weight', 2)[1]!,
    injection: injectionOf(weights, facts.injection ?? 'additive'),
    causal: facts.causal ?? true,
  };
}

function depthOf(weights: NanowmWeights): number {
  const blocks = new Set(weights.names.flatMap((name) => /^blocks\.(\d+)\./.exec(name)?.[1] ?? []));
  return blocks.size;
}

/** Additive and adaln_fuse have the same weights, so there the config decides. */
function injectionOf(weights: NanowmWeights, said: Injection): Injection {
  const has = (part: string) => weights.names.some((name) => name.startsWith(`blocks.0.${part}.`));
  if (has('action_adaLN_modulation')) return 'adaln';
  if (has('film_modulation')) return 'film';
  if (has('cross_attn')) return 'cross_attention';
  return said === 'adaln_fuse' ? 'adaln_fuse' : 'additive';
}
