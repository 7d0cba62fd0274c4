/** The feed-forward part of a block: SwiGLU without biases, inner width 4 D. */
import type { Value } from '../onnx/graph.ts';
import { multiply, silu } from '../onnx/ops/arithmetic.ts';
import { apply, asTokens, layerOf } from './parts.ts';
import type { Build } from './parts.ts';

/** h [B, F, P, D] -> w3(silu(w1 h) * w2 h) [B, F, P, D]. */
export function feedForward(build: Build, name: string, h: Value): Value {
  const { graph, config } = build;
  const { width } = config;
  const inner = 4 * width;
  const gate = silu(graph, apply(build, h, layerOf(build, `${name}.w1`, width, inner, false)));
  const up = apply(build, h, layerOf(build, `${name}.w2`, width, inner, false));
  const down = layerOf(build, `${name}.w3`, inner, width, false);
  return asTokens(build, apply(build, multiply(graph, gate, up), down), width);
}
