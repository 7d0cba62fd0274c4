/** Frames through a bundle's codec and back. The graphs' runs are passed in. */
import type { Codec } from './bundle/manifest.ts';
import { aborted, invalid } from './errors.ts';
import { framesOfPixels, pixelsOfFrames } from './metrics/frames.ts';

/** One run of `encode`: pixels [1, 3, H, W] in [-1, 1] -> mean [1, C, h, w], unscaled. */
export type Encoder = (pixels: Float32Array) => Promise<Float32Array>;
/** One run of `decode`: latents [1, C, h, w], unscaled -> pixels [1, 3, H, W]. */
export type Decoder = (latents: Float32Array) => Promise<Float32Array>;
interface Stop {
  readonly aborted: boolean;
}

/** Numbers of one frame's latents: C h w. */
export function latentSize({ channels, imageSize, downsampling }: Codec): number {
  return (channels * imageSize[0] * imageSize[1]) / downsampling ** 2;
}

/** uint8 [T, H, W, 3] -> [T, C, h, w], the posterior's mean times the scaling factor. */
export async function encodeFrames(
  codec: Codec,
  encode: Encoder,
  frames: Uint8Array,
  signal?: Stop,
): Promise<Float32Array> {
  const [height, width] = codec.imageSize;
  const size = 3 * height * width;
  if (frames.length % size !== 0) {
    throw invalid('frames', `${frames.length} numbers`, `this bundle takes ${height} x ${width} x 3`);
  }
  const out = new Float32Array((frames.length / size) * latentSize(codec));
  for (let i = 0; i * size < frames.length; i++) {
    if (signal?.aborted) throw aborted('the run');
    const pixels = pixelsOfFrames(frames.subarray(i * size, (i + 1) * size), height, width);
    const mean = await encode(pixels);
    checkLength('encoded frame', mean, latentSize(codec));
    out.set(
      mean.map((value) => value * codec.scalingFactor),
      i * mean.length,
    );
  }
  return out;
}

/** [T, C, h, w], scaled -> uint8 [T, H, W, 3]. */
export async function decodeLatents(
  codec: Codec,
  decode: Decoder,
  latents: Float32Array,
  signal?: Stop,
): Promise<Uint8Array> {
  const [height, width] = codec.imageSize;
  const size = latentSize(codec);
  const out = new Uint8Array((latents.length / size) * 3 * height * width);
  for (let i = 0; i * size < latents.length; i++) {
    if (signal?.aborted) throw aborted('the run');
    const frame = latents.slice(i * size, (i + 1) * size);
    const pixels = await decode(frame.map((value) => value / codec.scalingFactor));
    checkLength('decoded frame', pixels, 3 * height * width);
    out.set(framesOfPixels(pixels, height, width), i * pixels.length);
  }
  return out;
}

function checkLength(name: string, array: Float32Array, length: number): void {
  if (array.length !== length) {
    throw invalid(name, `${array.length} numbers`, `the manifest says ${length}; is it the right graph?`);
  }
}
