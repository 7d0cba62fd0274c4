/**
 * The models that are published (facts/nanowm.md sections 1 and 2): what is known of each without asking its host.
 * What the facts do not say, a licence for one, is not here: its page says it.
 */
import type { Manifest } from '../../../models/bundle/manifest.ts';
import type { NanowmConfig } from '../../../models/nanowm/config.ts';
import type { PREDICTIONS } from '../../../models/nanowm/hydra.ts';
import type { Injection } from '../../../models/nanowm/injections.ts';
import { STORAGES } from '../../../models/onnx/storage.ts';
import type { Storage } from '../../../models/onnx/storage.ts';
import { autoencoderSizes, nanowmSizes } from './published-sizes.ts';
import type { Sizes } from './published-sizes.ts';

export interface PublishedModel {
  /** The repository, `owner/name`. */
  readonly id: string;
  readonly kind: 'nanowm' | 'autoencoder';
  readonly title: string;
  /** The world whose screens and simulator go with it. */
  readonly world: Manifest['world'];
  /** A sentence. */
  readonly predicts: string;
  /** Depth and width by their usual name; absent for the autoencoder. */
  readonly size?: 'S/2' | 'B/2' | 'L/2';
  /** Frames of one window, and how many of them are given. */
  readonly frames?: number;
  readonly context?: number;
  /** Width of the action that the network takes for one frame. */
  readonly actionWidth?: number;
  readonly actions?: 'z-normalised' | 'as recorded';
  /** Only where the name says it: the others keep it in their config. */
  readonly prediction?: (typeof PREDICTIONS)[number];
  readonly injection?: Injection;
  /** As published: means over 256 clips, 250 steps, sequential. */
  readonly quality?: { readonly psnr: number; readonly ssim: number; readonly lpips: number };
  /** The repository whose autoencoder made its latents. */
  readonly codec?: string;
  readonly parameters: number;
  /** What the host sends, in millions of bytes: its weights are float32. */
  readonly downloadMegabytes: number;
  /** What is kept afterwards, by how its weights are stored; millions of bytes. */
  readonly megabytes: Readonly<Record<Storage, number>>;
}

const OWNER = 'knightnemo';
export const PUBLISHED_CODEC = 'stabilityai/sd-vae-ft-mse';

/** Width and depth; a head is 64 wide in each. */
const SIZES = { 'S/2': [384, 12], 'B/2': [768, 12], 'L/2': [1024, 24] } as const;
/** 256 x 256 pixels through the autoencoder: 4 channels of 32 x 32, in patches of 2 x 2. */
const LATENTS = { channels: 4, latentHeight: 32, latentWidth: 32, patch: 2, causal: true } as const;
/** Where the facts do not give these two, point maze's: they move the sizes by less than a tenth of a per cent. */
const WINDOW = { frames: 4, actionWidth: 10 };

type Known = Pick<
  PublishedModel,
  | 'title'
  | 'world'
  | 'predicts'
  | 'frames'
  | 'context'
  | 'actionWidth'
  | 'actions'
  | 'prediction'
  | 'injection'
  | 'quality'
>;

function nanowm(name: string, size: keyof typeof SIZES, known: Known): PublishedModel {
  const [width, depth] = SIZES[size];
  const { frames = WINDOW.frames, actionWidth = WINDOW.actionWidth, injection = 'additive' } = known;
  const config: NanowmConfig = {
    ...LATENTS,
    width,
    depth,
    heads: width / 64,
    frames,
    actionWidth,
    injection,
  };
  const id = `${OWNER}/${name}`;
  return { id, kind: 'nanowm', ...known, size, codec: PUBLISHED_CODEC, ...inMegabytes(nanowmSizes(config)) };
}

function inMegabytes({
  parameters,
  bytes,
}: Sizes): Pick<PublishedModel, 'parameters' | 'downloadMegabytes' | 'megabytes'> {
  const megabytes = Object.fromEntries(
    STORAGES.map((storage) => [storage, Math.round(bytes[storage] / 1e6)]),
  ) as Record<Storage, number>;
  return { parameters, downloadMegabytes: Math.round((4 * parameters) / 1e6), megabytes };
}

/** Worlds of DINO-WM that have no simulator here: the name's end, and what it is called. */
const DINO_WM = { 'wall-15k': 'Wall', 'rope-15k': 'Rope', 'granular-15k': 'Granular', 'pusht-100k': 'PushT' };

const PREDICTION_WORDS = {
  v: 'the velocity v',
  x: 'the clean frame x',
  epsilon: 'the noise epsilon',
  flow: 'the flow',
};
const INJECTION_WORDS = {
  adaln: 'adaLN',
  'adaln-fuse': 'fused adaLN',
  film: 'FiLM',
  'cross-attention': 'cross-attention',
} as const;

const RT1 = 'Frames of RT-1 from earlier frames and actions';

function abl(
  name: string,
  what: string,
  known: Pick<Known, 'prediction' | 'injection'>,
  how: string,
): PublishedModel {
  const rt1 = { title: `RT-1, ${what}`, world: 'other', predicts: `${RT1}; ${how}.` } as const;
  return nanowm(`nanowm-b2-rt1-abl-${name}-50k`, 'B/2', { ...rt1, ...known });
}

const CSGO = {
  world: 'csgo',
  predicts: 'The next frames of CSGO from 4 frames, keys and mouse; windows of 16 frames.',
  frames: 16,
  context: 4,
  actionWidth: 51,
  actions: 'as recorded',
} as const;

/** The first ones have a world here. The autoencoder goes with all of them. */
export const PUBLISHED: readonly PublishedModel[] = [
  nanowm('nanowm-b2-dino-wm-point-maze-30k', 'B/2', {
    title: 'Point maze',
    world: 'maze',
    predicts: 'The next 3 frames of a ball in a maze from 1 frame and the forces on it.',
    frames: 4,
    context: 1,
    actionWidth: 10,
    actions: 'z-normalised',
    quality: { psnr: 36.74, ssim: 0.984, lpips: 0.019 },
  }),
  nanowm('nanowm-l2-csgo-100k', 'L/2', { title: 'CSGO, 100k', ...CSGO }),
  nanowm('nanowm-l2-csgo-50k', 'L/2', { title: 'CSGO, 50k', ...CSGO }),
  ...Object.entries(DINO_WM).map(([name, title]) =>
    nanowm(`nanowm-b2-dino-wm-${name}`, 'B/2', {
      title,
      world: 'other',
      predicts: `Frames of DINO-WM's ${title} from earlier frames and actions.`,
    }),
  ),
  nanowm('nanowm-b2-rt1-300k', 'B/2', { title: 'RT-1', world: 'other', predicts: `${RT1}.` }),
  ...(['v', 'x', 'epsilon', 'flow'] as const).map((prediction) =>
    abl(
      `pred-${prediction}`,
      `predicts ${prediction}`,
      { prediction },
      `the network gives ${PREDICTION_WORDS[prediction]}`,
    ),
  ),
  ...(['adaln', 'adaln-fuse', 'film', 'cross-attention'] as const).map((name) => {
    const injection = name.replace('-', '_') as Injection;
    return abl(
      `inj-${name}`,
      INJECTION_WORDS[name],
      { injection },
      `actions enter by ${INJECTION_WORDS[name]}`,
    );
  }),
  {
    id: PUBLISHED_CODEC,
    kind: 'autoencoder',
    title: 'Stable Diffusion VAE',
    world: 'other',
    predicts: 'Nothing: it turns frames into latents and latents into frames, for all models above.',
    ...inMegabytes(autoencoderSizes()),
  },
];
