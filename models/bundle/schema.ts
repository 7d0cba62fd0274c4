/** What a bundle's manifest.json may say, field by field (design.md section 3, "Model bundle"). */
import * as v from 'valibot';
import { NOISE_SCHEDULES, PREDICTIONS } from '../nanowm/hydra.ts';
import { INJECTIONS } from '../nanowm/injections.ts';
import { STORAGES } from '../onnx/storage.ts';
import { finite, oneOf, whole } from '../schema.ts';
import { LATENTS } from './latents.ts';

const text = v.pipe(v.string(), v.nonEmpty('it is empty'));
const dimension = whole(1, 65536);
/** Names stay inside the bundle's folder. */
const fileName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'a file name has letters, digits, dots, dashes only'),
);

/** The NanoWM's sizes (facts/nanowm.md section 1). */
const architecture = v.strictObject({
  /** Frames of one window: F. */
  frames: whole(2, 4096),
  /** Latent channels: C. */
  channels: dimension,
  latentHeight: dimension,
  latentWidth: dimension,
  /** Side of a square patch, in latent pixels. */
  patch: dimension,
  /** Width of a token: D. */
  width: dimension,
  /** Blocks, spatial and temporal in turn. */
  depth: whole(1, 1024),
  heads: whole(1, 1024),
  /** Width of the action that the network takes for one frame: A. */
  actionWidth: dimension,
  injection: oneOf(INJECTIONS),
  /** Whether a frame sees only itself and earlier frames. */
  causal: v.boolean(),
});

const denoiser = v.strictObject({
  architecture,
  /** What the latents are; left out, those of an autoencoder. Others have no codec. */
  latents: v.exactOptional(oneOf(LATENTS)),
  /** At least one; `cached` only for causal models. */
  graphs: v.strictObject({
    window: v.exactOptional(v.literal('window.onnx')),
    cached: v.exactOptional(v.literal('cached.onnx')),
  }),
  /** Frames that are given, unless a run says otherwise. */
  context: whole(1, 4095),
  /** Level h at which the context is shown, 0 to 1; 0 is clean (facts section 4). */
  stabilisation: finite(0, 0.999),
  /** What a run uses unless it says otherwise. */
  sampling: v.strictObject({
    mode: oneOf(['full_sequence', 'pyramid', 'sequential']),
    steps: whole(1, 1000),
  }),
});

const diffusion = v.strictObject({
  schedule: oneOf(NOISE_SCHEDULES),
  /** Timesteps of the training process: T. */
  steps: whole(2, 100_000),
  prediction: oneOf(PREDICTIONS),
  zeroTerminalSnr: v.boolean(),
});

const codec = v.strictObject({
  kind: v.literal('autoencoder-kl'),
  /** Height and width of a frame in pixels. */
  imageSize: v.strictTuple([dimension, dimension]),
  /** Pixels per latent pixel, along each side. */
  downsampling: dimension,
  channels: dimension,
  /** Latents times this are what the denoiser sees. */
  scalingFactor: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  graphs: v.strictObject({ encode: v.literal('encode.onnx'), decode: v.literal('decode.onnx') }),
});

const distance = v.strictObject({
  net: oneOf(['alex', 'vgg', 'squeeze']),
  graphs: v.strictObject({ distance: v.literal('distance.onnx') }),
});

const action = v.strictObject({
  /** What the numbers mean: forces of the maze, CSGO's keys and mouse, or just a vector. */
  kind: oneOf(['maze', 'csgo', 'vector']),
  /** Width for one model frame, as recorded: perStep times frameInterval. */
  width: dimension,
  /** Width of the action of one environment step. */
  perStep: dimension,
  /** Environment steps of one model frame. */
  frameInterval: whole(1, 1000),
  /** Of one environment step's action, [perStep]; null when actions go in as recorded. */
  mean: v.nullable(v.array(v.pipe(v.number(), v.finite()))),
  std: v.nullable(v.array(v.pipe(v.number(), v.finite(), v.minValue(0)))),
});

const file = v.strictObject({
  bytes: whole(1, Number.MAX_SAFE_INTEGER),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'it is not 64 hexadecimal digits')),
  /** How the weights are stored. */
  dtype: oneOf(STORAGES),
  /** The graph whose external data this is, or several that share it; shards are at most 64 MiB. */
  externalDataOf: v.exactOptional(v.union([fileName, v.pipe(v.array(fileName), v.minLength(1))])),
});

export const manifestSchema = v.strictObject({
  version: v.literal(1, 'only version 1 is known'),
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9._-]*$/, 'an id has small letters, digits, dots and dashes only'),
  ),
  title: text,
  /** Where the weights come from: a sentence or an address. */
  source: text,
  licence: text,
  world: oneOf(['maze', 'csgo', 'arena', 'programs', 'other']),
  denoiser: v.exactOptional(denoiser),
  /** With a denoiser, and only then: */
  diffusion: v.exactOptional(diffusion),
  action: v.exactOptional(action),
  codec: v.exactOptional(codec),
  distance: v.exactOptional(distance),
  display: v.strictObject({
    /** Width over height at which frames are shown. */
    aspect: finite(0.01, 100),
    /** Model frames a second. */
    fps: finite(0.1, 240),
  }),
  files: v.record(fileName, file),
});
