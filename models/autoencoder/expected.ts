/** Every weight that an AutoencoderKL has (facts/nanowm.md section 7), and what a checkpoint has instead. */
import type { Weights } from '../files/weights.ts';
import { compareWeights } from '../onnx/expected.ts';
import type { ExpectedWeight } from '../onnx/expected.ts';
import type { AutoencoderConfig } from './config.ts';

/** Layers that small and old models do without; they are expected in full where a part of them is there. */
type Has = (prefix: string) => boolean;
type Put = (name: string, shape: readonly number[], by: string) => void;

/**
 * Names, shapes and what decides about them. The attention has its old names where the file has them, and is a
 * 1x1 convolution where the file keeps it as one.
 */
export function expectedWeights(config: AutoencoderConfig, weights: Weights): Map<string, ExpectedWeight> {
  const expected = new Map<string, ExpectedWeight>();
  const put: Put = (name, shape, by) => void expected.set(name, { shape, by });
  const has: Has = (prefix) => weights.names.some((name) => name.startsWith(`${prefix}.`));
  const { latentChannels, blockChannels } = config;
  const ofLatents = `the ${latentChannels} channels of decoder.conv_in.weight`;
  putEncoder(config, put);
  putDecoder(config, put);
  for (const half of ['encoder', 'decoder']) putMiddle(half, blockChannels.at(-1)!, put, weights, has);
  if (has('quant_conv')) putConv(put, 'quant_conv', 2 * latentChannels, 2 * latentChannels, 1, ofLatents);
  if (has('post_quant_conv')) putConv(put, 'post_quant_conv', latentChannels, latentChannels, 1, ofLatents);
  return expected;
}

function putEncoder({ latentChannels, blockChannels, layersPerBlock }: AutoencoderConfig, put: Put): void {
  let channels = blockChannels[0]!;
  putConv(put, 'encoder.conv_in', channels, 3, 3, ofLevel(0, channels));
  blockChannels.forEach((outputs, level) => {
    const name = `encoder.down_blocks.${level}`;
    const by = ofLevel(level, outputs);
    for (let layer = 0; layer < layersPerBlock; layer++) {
      putResnet(put, `${name}.resnets.${layer}`, channels, outputs, by);
      channels = outputs;
    }
    if (level < blockChannels.length - 1)
      putConv(put, `${name}.downsamplers.0.conv`, outputs, outputs, 3, by);
  });
  const by = ofLevel(blockChannels.length - 1, channels);
  putNorm(put, 'encoder.conv_norm_out', channels, by);
  putConv(put, 'encoder.conv_out', 2 * latentChannels, channels, 3, by);
}

function putDecoder({ latentChannels, blockChannels, layersPerBlock }: AutoencoderConfig, put: Put): void {
  const last = blockChannels.length - 1;
  let channels = blockChannels[last]!;
  putConv(put, 'decoder.conv_in', channels, latentChannels, 3, ofLevel(last, channels));
  [...blockChannels].reverse().forEach((outputs, place) => {
    const name = `decoder.up_blocks.${place}`;
    const by = ofLevel(last - place, outputs);
    for (let layer = 0; layer <= layersPerBlock; layer++) {
      putResnet(put, `${name}.resnets.${layer}`, channels, outputs, by);
      channels = outputs;
    }
    if (place < last) putConv(put, `${name}.upsamplers.0.conv`, outputs, outputs, 3, by);
  });
  putNorm(put, 'decoder.conv_norm_out', channels, ofLevel(0, channels));
  putConv(put, 'decoder.conv_out', 3, channels, 3, ofLevel(0, channels));
}

function putMiddle(half: string, channels: number, put: Put, weights: Weights, has: Has): void {
  const name = `${half}.mid_block`;
  const by = `the ${channels} channels of the deepest level`;
  for (const layer of [0, 1]) putResnet(put, `${name}.resnets.${layer}`, channels, channels, by);
  const attention = `${name}.attentions.0`;
  if (!has(attention)) return;
  putNorm(put, `${attention}.group_norm`, channels, by);
  const names = has(`${attention}.query`)
    ? ['query', 'key', 'value', 'proj_attn']
    : ['to_q', 'to_k', 'to_v', 'to_out.0'];
  for (const part of names) {
    const stored = `${attention}.${part}.weight`;
    const kernel = weights.has(stored) && weights.shape(stored).length === 4 ? [1, 1] : [];
    put(stored, [channels, channels, ...kernel], by);
    put(`${attention}.${part}.bias`, [channels], by);
  }
}

function putResnet(put: Put, name: string, inputs: number, outputs: number, by: string): void {
  putNorm(put, `${name}.norm1`, inputs, by);
  putConv(put, `${name}.conv1`, outputs, inputs, 3, by);
  putNorm(put, `${name}.norm2`, outputs, by);
  putConv(put, `${name}.conv2`, outputs, outputs, 3, by);
  if (inputs !== outputs) putConv(put, `${name}.conv_shortcut`, outputs, inputs, 1, by);
}

function putNorm(put: Put, name: string, channels: number, by: string): void {
  put(`${name}.weight`, [channels], by);
  put(`${name}.bias`, [channels], by);
}

function putConv(put: Put, name: string, outputs: number, inputs: number, kernel: number, by: string): void {
  put(`${name}.weight`, [outputs, inputs, kernel, kernel], by);
  put(`${name}.bias`, [outputs], by);
}

function ofLevel(level: number, channels: number): string {
  return `the ${channels} channels of encoder.down_blocks.${level}.resnets.0.conv1.weight`;
}

/** What training leaves beside the weights. */
const HARMLESS = /(?:^|\.)(?:n_averaged|num_updates|decay|step|epoch)$|^loss\./;

/**
 * Looks at names and shapes only.
 * @returns sentences about what is there and not needed
 * @throws one sentence that lists what is missing or has another shape
 */
export function checkAutoencoder(weights: Weights, config: AutoencoderConfig): string[] {
  const expected = expectedWeights(config, weights);
  return compareWeights(weights, { model: 'AutoencoderKL', expected, harmless: HARMLESS });
}
