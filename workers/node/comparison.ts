/** Runs a bundle on the fixed inputs of models/comparison.ts, and compares two that were. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseManifest } from '../../models/bundle/manifest.ts';
import type { Codec, DenoiserManifest, Manifest } from '../../models/bundle/manifest.ts';
import { requireDenoiser } from '../../models/bundle/manifest.ts';
import {
  decodeInput,
  deviation,
  forwardInput,
  likenessOfFrames,
  likenessOfLatents,
  rolloutInput,
} from '../../models/comparison.ts';
import type { Deviation, Likeness } from '../../models/comparison.ts';
import { missing } from '../../models/errors.ts';
import { framesOfPixels } from '../../models/metrics/frames.ts';
import { rollout } from '../../models/rollout.ts';
import { windowDenoiser } from '../graphs.ts';
import { openBundleFolder } from './bundle.ts';
import { openGraphFile } from './open.ts';
import type { OpenFileOptions } from './open.ts';

/** What a bundle gave. */
export interface Probe {
  /** Of one forward pass: of the denoiser, or of `decode` in a codec alone. */
  readonly output: Float32Array;
  /** Predicted latents, [T, C, h, w]; null for a codec alone. */
  readonly latents: Float32Array | null;
  /** Predicted frames, or those of `decode`; null without a codec. */
  readonly frames: { readonly data: Uint8Array; readonly height: number; readonly width: number } | null;
  readonly runtime: string;
}

/** @param signal looked at between the rows of the rollout */
export async function probe(
  folder: string,
  options: OpenFileOptions,
  signal: { readonly aborted: boolean } = { aborted: false },
): Promise<Probe> {
  const manifest = parseManifest(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
  if (!manifest.denoiser) return probeCodec(folder, manifest, options);
  const known = requireDenoiser(manifest);
  const { output, runtime } = await forward(folder, known, options);
  const bundle = await openBundleFolder(folder, options);
  try {
    const clock = () => performance.now() / 1000;
    // Lets Ctrl-C in between two rows.
    const onEvent = () => new Promise<void>((resolve) => setImmediate(resolve));
    const result = await rollout({ ...bundle, ...rolloutInput(manifest), clock, signal, onEvent });
    const [, height, width] = result.frameShape ?? [0, 0, 0];
    const { context } = known.denoiser;
    const skip = context * height * width * 3;
    const frames = result.frames && { data: result.frames.subarray(skip), height, width };
    const size = result.latents.length / result.latentShape[0];
    return { output, latents: result.latents.subarray(context * size), frames, runtime };
  } finally {
    await bundle.close();
  }
}

async function forward(folder: string, { denoiser }: DenoiserManifest, options: OpenFileOptions) {
  const { window } = denoiser.graphs;
  if (window === undefined) throw missing('graph', 'window.onnx', 'build the bundle again');
  const session = await open(folder, window, options);
  const { x, timesteps, actions } = forwardInput(denoiser.architecture);
  const output = await windowDenoiser(session, denoiser.architecture)(x, timesteps, actions);
  await session.release();
  return { output, runtime: session.runtime };
}

async function probeCodec(folder: string, { codec, id }: Manifest, options: OpenFileOptions): Promise<Probe> {
  if (!codec) throw missing('denoiser', `in bundle '${id}'`, 'give one that holds a denoiser or a codec');
  const session = await open(folder, codec.graphs.decode, options);
  const { pixels } = await session.run({
    latents: { dtype: 'float32', shape: latentShape(codec), data: decodeInput(codec) },
  });
  await session.release();
  const [height, width] = codec.imageSize;
  const output = pixels!.data as Float32Array;
  const frames = { data: framesOfPixels(output, height, width), height, width };
  return { output, latents: null, frames, runtime: session.runtime };
}

function latentShape({ channels, imageSize: [height, width], downsampling }: Codec): number[] {
  return [1, channels, height / downsampling, width / downsampling];
}

async function open(folder: string, graph: string, options: OpenFileOptions) {
  const path = join(folder, graph);
  return openGraphFile(path, new Uint8Array(await readFile(path)), options);
}

export interface Compared extends Deviation, Likeness {}

/** Pixels where there are some, else latents. */
export function compareProbes(reference: Probe, other: Probe): Compared {
  const likeness =
    reference.frames && other.frames
      ? likenessOfFrames(
          reference.frames.data,
          other.frames.data,
          reference.frames.height,
          reference.frames.width,
        )
      : likenessOfLatents(reference.latents!, other.latents!);
  return { ...deviation(reference.output, other.output), ...likeness };
}
