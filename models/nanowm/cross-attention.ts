/** Cross-attention from tokens to actions (injection `cross_attention`). */
import type { Value } from '../onnx/graph.ts';
import { multiply } from '../onnx/ops/arithmetic.ts';
import { attention } from '../onnx/ops/attention.ts';
import type { LinearWeights } from '../onnx/ops/linear.ts';
import { layerNorm } from '../onnx/ops/norm.ts';
import { reshape, splitEqually } from '../onnx/ops/shape.ts';
import type { Axis } from './attention.ts';
import { patchesOf } from './config.ts';
import { apply, asFrames, asTokens, layerOf } from './parts.ts';
import type { Build } from './parts.ts';

/** x [B, F, P, D] -> what is added to x, the gate included. */
export function crossAttention(
  build: Build,
  index: number,
  kind: Axis['kind'],
  x: Value,
  action: Value,
): Value {
  const { graph, config, weights } = build;
  const { width } = config;
  const name = `blocks.${index}`;
  const kv = layerOf(build, `${name}.cross_attn.kv`, width, 2 * width);
  const out = layerOf(build, `${name}.cross_attn.proj`, width, width);
  const gate = graph.constant(`${name}.cross_gate`, weights.get(`${name}.cross_gate`, [width]), [width]);
  const mixed =
    kind === 'spatial'
      ? // A softmax over a single key is 1: every patch gets the frame's value, whatever its query is.
        asFrames(build, apply(build, apply(build, action, lastHalf(kv)), out), width)
      : asTokens(build, apply(build, overFrames(build, index, x, action, kv), out), width);
  return multiply(graph, mixed, gate);
}

/** Every token of a clip asks for the actions of the frames that it may see -> [B, frames * P, D]. */
function overFrames(build: Build, index: number, x: Value, action: Value, kv: LinearWeights): Value {
  const { graph, config, time } = build;
  const { width, heads } = config;
  const layer = layerOf(build, `blocks.${index}.cross_attn.q`, width, width);
  const q = apply(build, layerNorm(graph, x, width), layer);
  const [k, v] = splitEqually(graph, apply(build, action, kv), 2, 1) as [Value, Value];
  const query = reshape(graph, time.perClip(q, patchesOf(config) * width), [0, -1, width]);
  const key = time.seen(`action_key_${index}`, time.perClip(k, width));
  const value = time.seen(`action_value_${index}`, time.perClip(v, width));
  return attention(graph, { query, key, value, bias: time.actionMask }, heads);
}

/** The value part of a layer that makes keys and values. */
function lastHalf({ name, inputs, outputs, weight, bias }: LinearWeights): LinearWeights {
  const half = outputs / 2;
  return {
    name: `${name}.value`,
    inputs,
    outputs: half,
    weight: () => weight().subarray(half * inputs),
    bias: bias === null ? null : bias.subarray(half),
  };
}
