/** Decodes what the network believes after a row, and only the frames whose belief has moved. */
import type { Codec } from '../../models/bundle/manifest.ts';
import { decodeLatents, latentSize } from '../../models/codec.ts';
import type { Decoder } from '../../models/codec.ts';

/** Latents of a window [F, C, h, w], scaled -> uint8 [F, H, W, 3], a copy. */
export type Preview = (belief: Float32Array) => Promise<Uint8Array>;

/** Context and finished frames keep their values bit for bit, so most rows decode only some of the window. */
export function createPreview(codec: Codec, decode: Decoder): Preview {
  const size = latentSize(codec);
  let before: Float32Array = new Float32Array(0);
  let pixels: Uint8Array = new Uint8Array(0);
  return async (belief) => {
    const frames = belief.length / size;
    const pixelSize = 3 * codec.imageSize[0] * codec.imageSize[1];
    const first = before.length !== belief.length;
    if (first) pixels = new Uint8Array(frames * pixelSize);
    for (let frame = 0; frame < frames; frame++) {
      const from = frame * size;
      if (!first && same(before, belief, from, from + size)) continue;
      pixels.set(await decodeLatents(codec, decode, belief.subarray(from, from + size)), frame * pixelSize);
    }
    before = belief;
    return pixels.slice();
  };
}

function same(a: Float32Array, b: Float32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (a[i] !== b[i]) return false;
  return true;
}
