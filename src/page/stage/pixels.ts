/** From the frames of a clip to the bytes of a canvas. Frames are uint8 [T, H, W, 3]; canvases take [H, W, 4]. */

/** Copies one frame, opaque. @param pixels H x W of a frame. */
export function copyFrame(frames: Uint8Array, frame: number, pixels: number, out: Uint8ClampedArray): void {
  let from = frame * pixels * 3;
  for (let to = 0; to < pixels * 4; to += 4) {
    out[to] = frames[from++]!;
    out[to + 1] = frames[from++]!;
    out[to + 2] = frames[from++]!;
    out[to + 3] = 255;
  }
}

/**
 * Paints prediction minus truth of one frame: of the three channels, the difference that is largest, with its sign.
 * (Luminance would hide a change of hue, and the mean lets channels cancel each other.)
 * @param table 511 RGB colours, index = difference + 255 (colour/difference.ts).
 */
export function paintDifference(
  truth: Uint8Array,
  prediction: Uint8Array,
  frame: number,
  pixels: number,
  table: Uint8ClampedArray,
  out: Uint8ClampedArray,
): void {
  let from = frame * pixels * 3;
  for (let to = 0; to < pixels * 4; to += 4, from += 3) {
    let largest = 0;
    for (let channel = 0; channel < 3; channel++) {
      const difference = prediction[from + channel]! - truth[from + channel]!;
      if (Math.abs(difference) > Math.abs(largest)) largest = difference;
    }
    const colour = (largest + 255) * 3;
    out[to] = table[colour]!;
    out[to + 1] = table[colour + 1]!;
    out[to + 2] = table[colour + 2]!;
    out[to + 3] = 255;
  }
}
