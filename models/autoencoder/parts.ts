/** The layers that encoder and decoder share (facts/nanowm.md section 7). Images are [N, C, H, W]. */
import type { Weights } from '../files/weights.ts';
import type { Graph, Value } from '../onnx/graph.ts';
import type { Storage } from '../onnx/storage.ts';
import { add, silu } from '../onnx/ops/arithmetic.ts';
import { convolution } from '../onnx/ops/convolution.ts';
import type { ConvolutionOptions } from '../onnx/ops/convolution.ts';
import { groupNorm } from '../onnx/ops/norm.ts';
import { readWeight } from '../onnx/weights.ts';
import type { AutoencoderConfig } from './config.ts';

export interface Build {
  readonly graph: Graph;
  readonly config: AutoencoderConfig;
  readonly weights: Weights;
}

export interface GraphOptions {
  /** How kernels are kept in the file, fp32 when left out; a convolution is never quantised but kept as fp16. */
  readonly storage?: Storage;
}

/** A convolution of the checkpoint: `<name>.weight` [outputs, inputs, kernel, kernel], `<name>.bias`. */
export function conv(
  { graph, weights }: Build,
  x: Value,
  name: string,
  [inputs, outputs, kernel]: readonly [number, number, number],
  options: ConvolutionOptions = {},
): Value {
  const weight = () => readWeight(weights, `${name}.weight`, [outputs, inputs, kernel, kernel]);
  const bias = readWeight(weights, `${name}.bias`, [outputs]);
  return convolution(graph, x, { name, weight, bias, inputs, outputs, kernel }, options);
}

export function norm({ graph, weights, config }: Build, x: Value, name: string, channels: number): Value {
  const scale = readWeight(weights, `${name}.weight`, [channels]);
  const shift = readWeight(weights, `${name}.bias`, [channels]);
  return groupNorm(graph, x, { name, channels, groups: config.groups, scale, shift });
}

/** GroupNorm, SiLU, 3x3 convolution. */
export function normConv(
  build: Build,
  x: Value,
  names: { readonly norm: string; readonly conv: string },
  inputs: number,
  outputs: number,
): Value {
  const activated = silu(build.graph, norm(build, x, names.norm, inputs));
  return conv(build, activated, names.conv, [inputs, outputs, 3]);
}

/** Two convolutions around which the input is led, through a 1x1 convolution where the channels change. */
export function resnet(build: Build, x: Value, name: string, inputs: number, outputs: number): Value {
  const first = normConv(build, x, { norm: `${name}.norm1`, conv: `${name}.conv1` }, inputs, outputs);
  const second = normConv(build, first, { norm: `${name}.norm2`, conv: `${name}.conv2` }, outputs, outputs);
  const around = inputs === outputs ? x : conv(build, x, `${name}.conv_shortcut`, [inputs, outputs, 1]);
  return add(build.graph, around, second);
}
