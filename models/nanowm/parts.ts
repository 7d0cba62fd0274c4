/** What every part of a NanoWM graph is built from, and the layouts that the parts agree on. */
import { Graph } from '../onnx/graph.ts';
import type { Value } from '../onnx/graph.ts';
import { linear } from '../onnx/ops/linear.ts';
import type { LinearWeights } from '../onnx/ops/linear.ts';
import { reshape } from '../onnx/ops/shape.ts';
import type { Storage } from '../onnx/storage.ts';
import { patchesOf } from './config.ts';
import type { NanowmConfig } from './config.ts';
import type { Timeline } from './timeline.ts';
import type { NanowmWeights } from './weights.ts';

export interface GraphOptions {
  /** How weight matrices are kept in the file; fp32 when left out. The graph computes in float32. */
  readonly storage?: Storage;
  /** Shared by graphs of the same weights, so that each weight is looked at once. */
  readonly looked?: Map<string, boolean>;
}

/** A graph and what it is made from. */
export interface Parts {
  readonly graph: Graph;
  readonly config: NanowmConfig;
  readonly weights: NanowmWeights;
}

export function startGraph(
  name: string,
  config: NanowmConfig,
  weights: NanowmWeights,
  options: GraphOptions,
): Parts {
  return { graph: new Graph(name, options.storage, options.looked), config, weights };
}

/**
 * The graph under construction. Tokens are [B, F, P, D] everywhere, and what belongs to a frame and not
 * to a patch is [B, F, 1, D]: computed once a frame, spread over its patches by broadcasting.
 */
export interface Build extends Parts {
  readonly time: Timeline;
}

/** A Linear layer of the checkpoint: `<name>.weight` [outputs, inputs] and, unless told otherwise, `<name>.bias`. */
export function layerOf(
  { weights }: Build,
  name: string,
  inputs: number,
  outputs: number,
  bias = true,
): LinearWeights {
  const weight = () => weights.get(`${name}.weight`, [outputs, inputs]);
  return { name, inputs, outputs, weight, bias: bias ? weights.get(`${name}.bias`, [outputs]) : null };
}

/** Any layout whose last side is the layer's inputs -> [rows, outputs]. */
export function apply({ graph }: Build, x: Value, layer: LinearWeights): Value {
  return linear(graph, reshape(graph, x, [-1, layer.inputs]), layer);
}

/** [B * F * P, width] -> [B, F, P, width]. */
export function asTokens({ graph, config, time }: Build, rows: Value, width: number): Value {
  return reshape(graph, rows, [-1, time.frames, patchesOf(config), width]);
}

/** [B * F, width] -> [B, F, 1, width]. */
export function asFrames({ graph, time }: Build, rows: Value, width: number): Value {
  return reshape(graph, rows, [-1, time.frames, 1, width]);
}
