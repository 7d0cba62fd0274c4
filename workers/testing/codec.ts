/** Codec graphs of the example manifest's sizes: a latent pixel is the mean of a block of eight by eight. */
import { Graph } from '../../models/onnx/graph.ts';
import type { Value } from '../../models/onnx/graph.ts';
import { add, multiply } from '../../models/onnx/ops/arithmetic.ts';
import { concat, reshape } from '../../models/onnx/ops/shape.ts';
import { serialise } from '../../models/onnx/serialise.ts';
import { exampleManifest } from '../../models/testing/manifest.ts';
import { networkBundle, withManifest } from './bundle.ts';
import type { Files } from './bundle.ts';

export function encodeGraph(): Uint8Array {
  const graph = new Graph('encode');
  const pixels = graph.input('pixels', ['batch', 3, 64, 64]);
  const means = graph.node('AveragePool', [pixels], { kernel_shape: [8, 8], strides: [8, 8] });
  graph.output('mean', concat(graph, [means, channels(graph, means, 1)], 1), ['batch', 4, 8, 8]);
  return serialise(graph).model;
}

/**
 * @param limit mean square of the latents up to which (or from which on) this works: beyond it all pixels are NaN.
 *   Warm-up's latents have about 1, the self-test's 1 over the square of the scaling factor
 */
export function decodeGraph(limit: number, side: 'most' | 'least' = 'most'): Uint8Array {
  const graph = new Graph('decode');
  const latents = graph.input('latents', ['batch', 4, 8, 8]);
  const square = graph.node('ReduceMean', [multiply(graph, latents, latents), graph.ints([1, 2, 3])]);
  const sign = graph.vector([side === 'most' ? 1 : -1]);
  const room = multiply(graph, sign, graph.node('Sub', [graph.vector([limit]), square]));
  // The square root of a negative number is none; of others it is taken away again.
  const root = graph.node('Sqrt', [room]);
  const nothing = multiply(graph, root, graph.vector([0]));
  const blocks = reshape(graph, channels(graph, latents, 3), [-1, 3, 8, 1, 8, 1]);
  const wide = graph.node('Expand', [blocks, graph.ints([1, 3, 8, 8, 8, 8])]);
  graph.output('pixels', add(graph, reshape(graph, wide, [-1, 3, 64, 64]), nothing), ['batch', 3, 64, 64]);
  return serialise(graph).model;
}

/** The first `count` channels. */
function channels(graph: Graph, value: Value, count: number): Value {
  return graph.node('Slice', [value, graph.ints([0]), graph.ints([count]), graph.ints([1])]);
}

/** A whole model: both denoiser graphs and this codec. */
export function wholeBundle(decode: Uint8Array): Files {
  const { 'window.onnx': window, 'cached.onnx': cached } = networkBundle('window', 'cached');
  const manifest = exampleManifest();
  const denoiser = {
    ...manifest.denoiser!,
    graphs: { window: 'window.onnx', cached: 'cached.onnx' } as const,
  };
  const files = {
    'window.onnx': window!,
    'cached.onnx': cached!,
    'encode.onnx': encodeGraph(),
    'decode.onnx': decode,
  };
  return withManifest({ ...manifest, denoiser }, files);
}
