/** Frames as bytes [H, W, 3] and as the codec's numbers [3, H, W] in [-1, 1]. */

/** uint8 [T, H, W, 3] -> float32 [T, 3, H, W] in [-1, 1], as the encoder takes them. */
export function pixelsOfFrames(frames: Uint8Array, height: number, width: number): Float32Array {
  const area = height * width;
  const out = new Float32Array(frames.length);
  for (let start = 0; start < frames.length; start += 3 * area) {
    for (let i = 0; i < area; i++) {
      for (let c = 0; c < 3; c++) out[start + c * area + i] = frames[start + 3 * i + c] / 127.5 - 1;
    }
  }
  return out;
}

/**
 * float32 [T, 3, H, W] -> uint8 [T, H, W, 3]: the nearest byte to 255 clamp((x + 1) / 2, 0, 1), so
 * that a codec without error gives back the very bytes. (The reference's videos round down instead,
 * facts/nanowm.md section 7, which darkens by half a level.) NaN becomes 0.
 */
export function framesOfPixels(pixels: Float32Array, height: number, width: number): Uint8Array {
  const area = height * width;
  // Clamped arrays round to nearest, halves to even, in the language itself.
  const out = new Uint8ClampedArray(pixels.length);
  for (let start = 0; start < pixels.length; start += 3 * area) {
    for (let i = 0; i < area; i++) {
      for (let c = 0; c < 3; c++) out[start + 3 * i + c] = (pixels[start + c * area + i] + 1) * 127.5;
    }
  }
  return new Uint8Array(out.buffer);
}
