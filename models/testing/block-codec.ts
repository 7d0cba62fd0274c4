/** A codec that is exact on frames made of one-coloured blocks: a latent pixel is a block's mean colour. */
import type { Codec } from '../bundle/manifest.ts';
import type { Decoder, Encoder } from '../codec.ts';

/** Latents [4, h, w]: red, green, blue, 0. */
export function blockCodec({ imageSize: [height, width], downsampling: side }: Codec): {
  encode: Encoder;
  decode: Decoder;
} {
  const [rows, columns] = [height / side, width / side];
  const at = (c: number, y: number, x: number) => c * height * width + y * width + x;
  const cell = (c: number, y: number, x: number) =>
    (c * rows + Math.floor(y / side)) * columns + Math.floor(x / side);
  const everyPixel = (visit: (c: number, y: number, x: number) => void) => {
    for (let c = 0; c < 3; c++) {
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) visit(c, y, x);
    }
  };
  return {
    encode: async (pixels) => {
      const out = new Float64Array(4 * rows * columns);
      everyPixel((c, y, x) => (out[cell(c, y, x)] += pixels[at(c, y, x)] / side ** 2));
      return Float32Array.from(out);
    },
    decode: async (latents) => {
      const out = new Float32Array(3 * height * width);
      everyPixel((c, y, x) => (out[at(c, y, x)] = latents[cell(c, y, x)]));
      return out;
    },
  };
}
