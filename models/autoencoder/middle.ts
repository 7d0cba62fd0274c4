/** The middle of encoder and decoder: resnet, attention over all pixels, resnet. */
import { unsupported } from '../errors.ts';
import type { Value } from '../onnx/graph.ts';
import { add } from '../onnx/ops/arithmetic.ts';
import { convolution } from '../onnx/ops/convolution.ts';
import { reshape, transpose } from '../onnx/ops/shape.ts';
import { readWeight } from '../onnx/weights.ts';
import { norm, resnet } from './parts.ts';
import type { Build } from './parts.ts';

/** `name` is `encoder.mid_block` or `decoder.mid_block`; small models may come without the attention. */
export function middle(build: Build, x: Value, name: string, channels: number): Value {
  const first = resnet(build, x, `${name}.resnets.0`, channels, channels);
  const attended = build.weights.names.some((weight) => weight.startsWith(`${name}.attentions.0.`))
    ? attention(build, first, `${name}.attentions.0`, channels)
    : first;
  return resnet(build, attended, `${name}.resnets.1`, channels, channels);
}

/**
 * One head over the H * W pixels, plus the input. Queries stay laid out as an image: their sides are
 * known at run time only, and this way no shape has to be computed there.
 */
function attention(build: Build, x: Value, name: string, channels: number): Value {
  const { graph } = build;
  const normal = norm(build, x, `${name}.group_norm`, channels);
  const q = projection(build, normal, name, 'query', channels, 1 / Math.sqrt(channels));
  const k = projection(build, normal, name, 'key', channels);
  const v = projection(build, normal, name, 'value', channels);
  const queries = transpose(graph, q, [0, 2, 3, 1]); // [N, H, W, C]
  const keys = reshape(graph, k, [0, 1, channels, -1]); // [N, 1, C, H * W]
  const values = transpose(graph, reshape(graph, v, [0, 1, channels, -1]), [0, 1, 3, 2]); // [N, 1, H * W, C]
  const scores = graph.node('MatMul', [queries, keys]); // [N, H, W, H * W]
  const mixed = graph.node('MatMul', [graph.node('Softmax', [scores], { axis: -1 }), values]); // [N, H, W, C]
  const image = transpose(graph, mixed, [0, 3, 1, 2]); // [N, C, H, W]
  return add(graph, x, projection(build, image, name, 'output', channels));
}

/** Diffusers' names of the projections, new and old. */
const NAMES = {
  query: ['to_q', 'query'],
  key: ['to_k', 'key'],
  value: ['to_v', 'value'],
  output: ['to_out.0', 'proj_attn'],
} as const;

/** A Linear layer over channels, which is a 1x1 convolution. The result is multiplied by `factor`. */
function projection(
  { graph, weights }: Build,
  x: Value,
  name: string,
  role: keyof typeof NAMES,
  channels: number,
  factor = 1,
): Value {
  const part = NAMES[role].find((candidate) => weights.has(`${name}.${candidate}.weight`)) ?? NAMES[role][0];
  const layer = `${name}.${part}`;
  const stored = weights.shape(`${layer}.weight`);
  if (stored.length !== 2 && stored.length !== 4) {
    throw unsupported(
      'weight',
      `${layer}.weight of shape [${stored.join(', ')}]`,
      'give a Linear or 1x1 layer',
    );
  }
  const shape = stored.length === 2 ? [channels, channels] : [channels, channels, 1, 1];
  const times = (values: Float32Array) => (factor === 1 ? values : values.map((value) => value * factor));
  const weight = () => times(readWeight(weights, `${layer}.weight`, shape));
  const bias = times(readWeight(weights, `${layer}.bias`, [channels]));
  const sizes = { inputs: channels, outputs: channels, kernel: 1 };
  return convolution(graph, x, { name: layer, weight, bias, ...sizes });
}
