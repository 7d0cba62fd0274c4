/** A clip for bundles without a codec. */
import type { Clip } from '../../models/clip.ts';

/** One frame of latents and four actions: all that a bundle without a codec needs. */
export function latentClip(): Clip {
  return {
    length: 1,
    pixels: null,
    latents: { data: new Float32Array(256).fill(0.5), channels: 4, height: 8, width: 8 },
    actions: { data: new Float32Array(40).fill(0.1), rows: 4, width: 10, scale: 'network' },
    states: null,
    fps: 8,
    aspect: 1,
    source: 'a test',
  };
}
