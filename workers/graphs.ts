/** A bundle's open graphs as the functions that the domain calls, the same in a worker and in Node. */
import type { Architecture, Manifest } from '../models/bundle/manifest.ts';
import { requireDenoiser } from '../models/bundle/manifest.ts';
import type { Decoder, Encoder } from '../models/codec.ts';
import type { Denoiser, Networks } from '../models/diffusion/denoiser.ts';
import { missing } from '../models/errors.ts';
import { memoriesOf } from '../models/nanowm/memory.ts';
import { cachedDenoiser } from './cached.ts';
import type { GraphSession } from './session.ts';

export interface GraphFunctions extends Networks {
  readonly encode: Encoder | null;
  readonly decode: Decoder | null;
}

/** Null where the bundle has none, or where it is not needed. */
export interface Graphs {
  readonly window: GraphSession | null;
  readonly cached: GraphSession | null;
  readonly encode: GraphSession | null;
  readonly decode: GraphSession | null;
}

/** The denoiser graphs of a bundle, the one to use first: with `cached`, `window` is only for when that fails. */
export function denoiserParts({ denoiser }: Manifest): ('cached' | 'window')[] {
  return (['cached', 'window'] as const).filter((part) => denoiser?.graphs[part] !== undefined);
}

/**
 * Looks at a session before its first run.
 * @throws missing output, when the file is another graph than its place in the bundle says
 */
export function checkOutputs(
  session: GraphSession,
  part: keyof Graphs,
  file: string,
  manifest: Manifest,
): void {
  const absent = outputsOf(part, manifest).find((output) => !session.outputs.includes(output));
  if (absent === undefined) return;
  throw missing('output', absent, `${file} gives ${session.outputs.join(', ')}; build the bundle again`);
}

/** The outputs that we read, as design.md section 3 calls them. */
function outputsOf(part: keyof Graphs, manifest: Manifest): readonly string[] {
  switch (part) {
    case 'window':
      return ['output'];
    case 'cached': {
      const { architecture } = requireDenoiser(manifest).denoiser;
      return ['output', ...memoriesOf(architecture).map(({ name }) => name)];
    }
    case 'encode':
      return ['mean'];
    case 'decode':
      return ['pixels'];
  }
}

/** @param graphs sessions that `checkOutputs` let pass */
export function graphFunctions(
  manifest: Manifest,
  { window, cached, encode, decode }: Graphs,
): GraphFunctions {
  const { architecture } = requireDenoiser(manifest).denoiser;
  const { codec } = manifest;
  const [height, width] = codec?.imageSize ?? [0, 0];
  return {
    denoise: window && windowDenoiser(window, architecture),
    cached: cached && cachedDenoiser(cached, architecture),
    encode:
      encode &&
      (async (pixels) =>
        (await encode.run({ pixels: tensor(pixels, [1, 3, height, width]) })).mean!.data as Float32Array),
    decode:
      decode &&
      (async (latents) => {
        const { channels: c, downsampling } = codec!;
        const shape = [1, c, height / downsampling, width / downsampling];
        return (await decode.run({ latents: tensor(latents, shape) })).pixels!.data as Float32Array;
      }),
  };
}

export function windowDenoiser(session: GraphSession, architecture: Architecture): Denoiser {
  const { frames, channels, latentHeight, latentWidth, actionWidth } = architecture;
  const size = frames * channels * latentHeight * latentWidth;
  return async (x, timesteps, actions) => {
    const batch = x.length / size;
    const { output } = await session.run({
      x: tensor(x, [batch, frames, channels, latentHeight, latentWidth]),
      timesteps: tensor(timesteps, [batch, frames]),
      actions: tensor(actions, [batch, frames, actionWidth]),
    });
    return output!.data as Float32Array;
  };
}

function tensor(data: Float32Array, shape: readonly number[]) {
  return { dtype: 'float32', shape, data } as const;
}
