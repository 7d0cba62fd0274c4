/** The `encode` graph: pixels [N, 3, H, W] in [-1, 1] -> mean, logvar [N, C, h, w], unscaled, not clamped. */
import type { Weights } from '../files/weights.ts';
import { Graph } from '../onnx/graph.ts';
import { splitEqually } from '../onnx/ops/shape.ts';
import { serialise } from '../onnx/serialise.ts';
import type { AutoencoderConfig } from './config.ts';
import { middle } from './middle.ts';
import { conv, normConv, resnet } from './parts.ts';
import type { Build, GraphOptions } from './parts.ts';

/** N, H and W are known at run time only; H and W must be multiples of the downsampling. */
export function encodeGraph(config: AutoencoderConfig, weights: Weights, options: GraphOptions = {}): Graph {
  const graph = new Graph('encode', options.storage);
  const build: Build = { graph, config, weights };
  const { blockChannels, layersPerBlock, latentChannels } = config;
  const deepest = blockChannels.at(-1)!;
  const pixels = graph.input('pixels', ['batch', 3, 'height', 'width']);
  let channels = blockChannels[0]!;
  let x = conv(build, pixels, 'encoder.conv_in', [3, channels, 3]);
  blockChannels.forEach((outputs, level) => {
    const name = `encoder.down_blocks.${level}`;
    for (let layer = 0; layer < layersPerBlock; layer++) {
      x = resnet(build, x, `${name}.resnets.${layer}`, channels, outputs);
      channels = outputs;
    }
    if (level === blockChannels.length - 1) return;
    // Halves both sides; the original pads at the bottom and at the right only.
    x = conv(build, x, `${name}.downsamplers.0.conv`, [outputs, outputs, 3], {
      stride: 2,
      pads: [0, 0, 1, 1],
    });
  });
  x = middle(build, x, 'encoder.mid_block', deepest);
  const out = { norm: 'encoder.conv_norm_out', conv: 'encoder.conv_out' };
  const moments = normConv(build, x, out, deepest, 2 * latentChannels);
  const posterior = weights.has('quant_conv.weight')
    ? conv(build, moments, 'quant_conv', [2 * latentChannels, 2 * latentChannels, 1])
    : moments;
  const latents = ['batch', latentChannels, 'latent_height', 'latent_width'];
  const [mean, logvar] = splitEqually(graph, posterior, 2, 1);
  graph.output('mean', mean!, latents);
  graph.output('logvar', logvar!, latents);
  return graph;
}

/** The `encode` graph as one file. @throws one sentence when a weight is missing, misshapen or not finite. */
export function buildEncode(
  config: AutoencoderConfig,
  weights: Weights,
  options: GraphOptions = {},
): Uint8Array {
  return serialise(encodeGraph(config, weights, options)).model;
}
