/** Whether a model can predict a clip here, before anybody presses Run. */
import type { Manifest } from '../../../models/bundle/manifest.ts';
import type { Clip } from '../../../models/clip.ts';

/** Null, or why not: a sentence. @param clip null while it is not here */
export function unfit({ codec, action, title }: Manifest, clip: Clip | null): string | null {
  if (!codec)
    return `${title} predicts latents only, and this page shows frames: convert it again together with its autoencoder.`;
  if (!clip) return null;
  const { width } = clip.actions;
  if (action && width !== action.width)
    return `This clip is of another world: its actions have ${width} numbers a frame, ${title} takes ${action.width}. Choose another model under Models.`;
  const [high, wide] = codec.imageSize;
  if (clip.pixels && (clip.pixels.height !== high || clip.pixels.width !== wide))
    return `This clip has frames of ${clip.pixels.width} × ${clip.pixels.height} pixels, ${title} takes ${wide} × ${high}: simulate a new episode.`;
  return null;
}
