/** Convolutions over images [N, C, H, W] of any N, H and W. */
import type { Graph, Value } from '../graph.ts';
import type { Read } from '../initialiser.ts';
import { concat } from './shape.ts';

export interface ConvolutionWeights {
  readonly name: string;
  /** [outputs, inputs, kernel, kernel]. */
  readonly weight: Read;
  readonly bias: Float32Array;
  readonly inputs: number;
  readonly outputs: number;
  readonly kernel: number;
}

export interface ConvolutionOptions {
  readonly stride?: number;
  /** Zeros at the top, left, bottom and right; (kernel - 1) / 2 everywhere when left out. */
  readonly pads?: readonly [number, number, number, number];
}

export function convolution(
  graph: Graph,
  x: Value,
  { name, weight, bias, inputs, outputs, kernel }: ConvolutionWeights,
  { stride = 1, pads }: ConvolutionOptions = {},
): Value {
  const around = (kernel - 1) / 2;
  const kernels = graph.weight(`${name}.weight`, weight, [outputs, inputs, kernel, kernel]);
  return graph.node('Conv', [x, kernels, graph.constant(`${name}.bias`, bias, [outputs])], {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    pads: pads ?? [around, around, around, around],
  });
}

/**
 * Four images [N, C, h, w] as one [N, C, 2 h, 2 w]: they hold the pixels of even rows and columns, even
 * rows and odd columns, odd rows and even columns, odd rows and columns.
 */
export function interleaved(graph: Graph, images: readonly Value[]): Value {
  return graph.node('DepthToSpace', [concat(graph, images, 1)], { blocksize: 2, mode: 'DCR' });
}
