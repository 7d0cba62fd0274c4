/** From tokens back to latents. */
import type { Value } from '../onnx/graph.ts';
import { reshape, transpose } from '../onnx/ops/shape.ts';
import { modulated, modulation } from './modulation.ts';
import { apply, layerOf } from './parts.ts';
import type { Build } from './parts.ts';

/** tokens [B, F, P, D], activatedTime [B, F, 1, D] (never with the action in it) -> [B, frames, C, H, W]. */
export function finalLayer(build: Build, tokens: Value, activatedTime: Value): Value {
  const { graph, config, time } = build;
  const { width, patch, channels, latentHeight, latentWidth } = config;
  const layer = layerOf(build, 'final_layer.adaLN_modulation.1', width, 2 * width);
  const [shift, scale] = modulation(build, activatedTime, layer, 2, [1]) as [Value, Value];
  const out = layerOf(build, 'final_layer.linear', width, patch * patch * channels);
  const rows = apply(build, modulated(build, tokens, scale, shift), out);
  const grid = [-1, latentHeight / patch, latentWidth / patch, patch, patch, channels];
  const planes = transpose(graph, reshape(graph, rows, grid), [0, 5, 1, 3, 2, 4]); // [B * F, C, h, p, w, p]
  const frames = time.perClip(planes, channels * latentHeight * latentWidth);
  return reshape(graph, frames, [0, 0, channels, latentHeight, latentWidth]);
}
