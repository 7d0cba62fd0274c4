/** Normalisation layers. None is decomposed into smaller operators: half precision would overflow there. */
import type { Graph, Value } from '../graph.ts';
import { add, multiply } from './arithmetic.ts';
import { reshape } from './shape.ts';

/** Every epsilon in NanoWM and AutoencoderKL (facts/nanowm.md sections 1 and 7). */
const EPSILON = { float: 1e-6 };

/** LayerNorm over the last side, `width`, without scale and shift. */
export function layerNorm(graph: Graph, x: Value, width: number): Value {
  const inputs = [x, graph.filled(width, 1), graph.filled(width, 0)];
  return graph.node('LayerNormalization', inputs, { axis: -1, epsilon: EPSILON });
}

/** RMSNorm over the last side. `weight` has its length. */
export function rmsNorm(graph: Graph, x: Value, weight: Value): Value {
  return graph.node('SimplifiedLayerNormalization', [x, weight], {
    axis: -1,
    epsilon: EPSILON,
    stash_type: 1,
  });
}

export interface GroupNormWeights {
  readonly name: string;
  readonly channels: number;
  readonly groups: number;
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

/**
 * GroupNorm of x [N, C, H, W] for any N, H and W. As InstanceNormalization over groups, because
 * GroupNormalization has no WebGPU kernel; keeping the last side apart lets -1 stand for the other one.
 */
export function groupNorm(
  graph: Graph,
  x: Value,
  { name, channels, groups, scale, shift }: GroupNormWeights,
): Value {
  const grouped = reshape(graph, x, [0, groups, -1, 0]); // [N, G, C / G * H, W]
  const ones = graph.filled(groups, 1);
  const zeros = graph.filled(groups, 0);
  const normal = graph.node('InstanceNormalization', [grouped, ones, zeros], { epsilon: EPSILON });
  const back = reshape(graph, normal, [0, channels, -1, 0]); // [N, C, H, W]
  const scaled = multiply(graph, back, graph.constant(`${name}.weight`, scale, [channels, 1, 1]));
  return add(graph, scaled, graph.constant(`${name}.bias`, shift, [channels, 1, 1]));
}
