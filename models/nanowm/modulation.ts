/** Adaptive layer norm: scales, shifts and gates from one vector a frame. */
import type { Value } from '../onnx/graph.ts';
import { add, multiply } from '../onnx/ops/arithmetic.ts';
import type { LinearWeights } from '../onnx/ops/linear.ts';
import { layerNorm } from '../onnx/ops/norm.ts';
import { splitEqually } from '../onnx/ops/shape.ts';
import { apply, asFrames } from './parts.ts';
import type { Build } from './parts.ts';

/**
 * vector [B, F, 1, inputs] -> `parts` times [B, F, 1, D]. The parts named in `scales` come as 1 + scale:
 * the 1 is added to the bias when the graph is built.
 */
export function modulation(
  build: Build,
  vector: Value,
  layer: LinearWeights,
  parts: number,
  scales: readonly number[],
): Value[] {
  const { width } = build.config;
  const bias = Float32Array.from(layer.bias ?? new Float32Array(layer.outputs), (value, index) =>
    scales.includes(Math.floor(index / width)) ? value + 1 : value,
  );
  const rows = apply(build, vector, { ...layer, bias }); // [B * F, parts * D]
  return splitEqually(build.graph, asFrames(build, rows, parts * width), parts, 3);
}

/** LN(x) * scale + shift, x [B, F, P, D], the others [B, F, 1, D]. */
export function modulated({ graph, config }: Build, x: Value, scale: Value, shift: Value): Value {
  return add(graph, multiply(graph, layerNorm(graph, x, config.width), scale), shift);
}
