/** A bundle's open graphs as the functions that the domain calls, the same in a worker and in Node. */
import type { Manifest } from '../models/bundle/manifest.ts';
import { requireDenoiser } from '../models/bundle/manifest.ts';
import type { Decoder, Encoder } from '../models/codec.ts';
import type { Denoiser } from '../models/diffusion/denoiser.ts';
import { missing } from '../models/errors.ts';
import type { GraphSession } from './session.ts';

export interface GraphFunctions {
  readonly denoise: Denoiser;
  readonly encode: Encoder | null;
  readonly decode: Decoder | null;
}

export interface Graphs {
  readonly window: GraphSession;
  readonly encode: GraphSession | null;
  readonly decode: GraphSession | null;
}

/** The outputs that we read, as design.md section 3 calls them. */
const OUTPUTS = { window: 'output', encode: 'mean', decode: 'pixels' } as const;

/**
 * Looks at a session before its first run.
 * @throws missing output, when the file is another graph than its place in the bundle says
 */
export function checkOutputs(session: GraphSession, part: keyof Graphs, file: string): void {
  const output = OUTPUTS[part];
  if (session.outputs.includes(output)) return;
  throw missing('output', output, `${file} gives ${session.outputs.join(', ')}; build the bundle again`);
}

/** @param graphs sessions that `checkOutputs` let pass */
export function graphFunctions(manifest: Manifest, { window, encode, decode }: Graphs): GraphFunctions {
  const { frames, channels, latentHeight, latentWidth, actionWidth } =
    requireDenoiser(manifest).denoiser.architecture;
  const { codec } = manifest;
  const [height, width] = codec?.imageSize ?? [0, 0];
  const size = frames * channels * latentHeight * latentWidth;
  return {
    denoise: async (x, timesteps, actions) => {
      const batch = x.length / size;
      const { output } = await window.run({
        x: tensor(x, [batch, frames, channels, latentHeight, latentWidth]),
        timesteps: tensor(timesteps, [batch, frames]),
        actions: tensor(actions, [batch, frames, actionWidth]),
      });
      return output!.data as Float32Array;
    },
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

function tensor(data: Float32Array, shape: readonly number[]) {
  return { dtype: 'float32', shape, data } as const;
}
