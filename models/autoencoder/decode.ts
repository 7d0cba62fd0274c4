/** The `decode` graph: latents [N, C, h, w], unscaled -> pixels [N, 3, H, W], around [-1, 1], not clamped. */
import type { Weights } from '../files/weights.ts';
import { Graph } from '../onnx/graph.ts';
import { serialise } from '../onnx/serialise.ts';
import type { AutoencoderConfig } from './config.ts';
import { middle } from './middle.ts';
import { conv, normConv, resnet } from './parts.ts';
import type { Build, GraphOptions } from './parts.ts';
import { upsample } from './upsample.ts';

/** N, h and w are known at run time only. */
export function decodeGraph(config: AutoencoderConfig, weights: Weights, options: GraphOptions = {}): Graph {
  const graph = new Graph('decode', options.storage);
  const build: Build = { graph, config, weights };
  const { layersPerBlock, latentChannels } = config;
  const levels = [...config.blockChannels].reverse();
  const latents = graph.input('latents', ['batch', latentChannels, 'latent_height', 'latent_width']);
  const start = weights.has('post_quant_conv.weight')
    ? conv(build, latents, 'post_quant_conv', [latentChannels, latentChannels, 1])
    : latents;
  let channels = levels[0]!;
  let x = conv(build, start, 'decoder.conv_in', [latentChannels, channels, 3]);
  x = middle(build, x, 'decoder.mid_block', channels);
  levels.forEach((outputs, level) => {
    const name = `decoder.up_blocks.${level}`;
    for (let layer = 0; layer <= layersPerBlock; layer++) {
      x = resnet(build, x, `${name}.resnets.${layer}`, channels, outputs);
      channels = outputs;
    }
    if (level === levels.length - 1) return;
    x = upsample(build, x, `${name}.upsamplers.0.conv`, outputs);
  });
  const out = { norm: 'decoder.conv_norm_out', conv: 'decoder.conv_out' };
  graph.output('pixels', normConv(build, x, out, channels, 3), ['batch', 3, 'height', 'width']);
  return graph;
}

/** The `decode` graph as one file. @throws one sentence when a weight is missing, misshapen or not finite. */
export function buildDecode(
  config: AutoencoderConfig,
  weights: Weights,
  options: GraphOptions = {},
): Uint8Array {
  return serialise(decodeGraph(config, weights, options)).model;
}
