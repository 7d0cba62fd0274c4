import { expect, test } from 'vitest';
import { autoencoderConfig } from '../../../models/autoencoder/config.ts';
import { decodeGraph } from '../../../models/autoencoder/decode.ts';
import { encodeGraph } from '../../../models/autoencoder/encode.ts';
import { expectedWeights as autoencoderWeights } from '../../../models/autoencoder/expected.ts';
import { weightsFrom } from '../../../models/files/weights.ts';
import type { WeightEntry, Weights } from '../../../models/files/weights.ts';
import { cachedGraph } from '../../../models/nanowm/cached.ts';
import { expectedWeights as nanowmWeights } from '../../../models/nanowm/expected.ts';
import { openNanowm } from '../../../models/nanowm/weights.ts';
import { windowGraph } from '../../../models/nanowm/window.ts';
import { weightBytes } from '../../../models/onnx/serialise.ts';
import { readAddress } from './address.ts';
import { autoencoderSizes, nanowmSizes } from './published-sizes.ts';
import { PUBLISHED, PUBLISHED_CODEC } from './published.ts';

const of = (name: string) => PUBLISHED.find(({ id }) => id === `knightnemo/${name}`)!;

test('every repository that the facts name in full is listed once, and no other', () => {
  expect(PUBLISHED.map(({ id }) => id).sort()).toEqual(
    [
      'knightnemo/nanowm-b2-dino-wm-point-maze-30k',
      'knightnemo/nanowm-b2-dino-wm-wall-15k',
      'knightnemo/nanowm-b2-dino-wm-rope-15k',
      'knightnemo/nanowm-b2-dino-wm-granular-15k',
      'knightnemo/nanowm-b2-dino-wm-pusht-100k',
      'knightnemo/nanowm-b2-rt1-300k',
      'knightnemo/nanowm-l2-csgo-50k',
      'knightnemo/nanowm-l2-csgo-100k',
      'knightnemo/nanowm-b2-rt1-abl-pred-v-50k',
      'knightnemo/nanowm-b2-rt1-abl-pred-x-50k',
      'knightnemo/nanowm-b2-rt1-abl-pred-epsilon-50k',
      'knightnemo/nanowm-b2-rt1-abl-pred-flow-50k',
      'knightnemo/nanowm-b2-rt1-abl-inj-adaln-50k',
      'knightnemo/nanowm-b2-rt1-abl-inj-adaln-fuse-50k',
      'knightnemo/nanowm-b2-rt1-abl-inj-film-50k',
      'knightnemo/nanowm-b2-rt1-abl-inj-cross-attention-50k',
      'stabilityai/sd-vae-ft-mse',
    ].sort(),
  );
});

test('point maze and CSGO say what the facts say of them', () => {
  expect(of('nanowm-b2-dino-wm-point-maze-30k')).toMatchObject({
    world: 'maze',
    size: 'B/2',
    frames: 4,
    context: 1,
    actionWidth: 10,
    actions: 'z-normalised',
    quality: { psnr: 36.74, ssim: 0.984, lpips: 0.019 },
  });
  for (const name of ['nanowm-l2-csgo-50k', 'nanowm-l2-csgo-100k'])
    expect(of(name)).toMatchObject({
      world: 'csgo',
      size: 'L/2',
      frames: 16,
      context: 4,
      actionWidth: 51,
      actions: 'as recorded',
    });
});

test('what the facts leave open is left out: windows of other worlds, predictions, licences', () => {
  const wall = of('nanowm-b2-dino-wm-wall-15k');
  for (const field of [
    'frames',
    'context',
    'actionWidth',
    'actions',
    'prediction',
    'injection',
    'quality',
    'licence',
  ])
    expect(wall, field).not.toHaveProperty(field);
  expect(of('nanowm-l2-csgo-100k')).not.toHaveProperty('prediction');
  expect(of('nanowm-b2-rt1-abl-pred-flow-50k').prediction).toBe('flow');
  expect(of('nanowm-b2-rt1-abl-inj-cross-attention-50k').injection).toBe('cross_attention');
});

test('a CSGO file is the 2.23 GB that the facts state, and the autoencoder has the parameters of its original', () => {
  const csgo = of('nanowm-l2-csgo-100k');
  expect((4 * csgo.parameters) / 1e9).toBeCloseTo(2.23, 2);
  expect(csgo.downloadMegabytes).toBe(2235);
  expect(PUBLISHED.find(({ id }) => id === PUBLISHED_CODEC)!.parameters).toBe(83_653_863);
});

test('each is an address that the page understands, and less precision is less to keep', () => {
  for (const { id, megabytes } of PUBLISHED) {
    expect(readAddress(id)).toMatchObject({ kind: 'repository', repository: { id } });
    expect(megabytes.fp32).toBeGreaterThan(megabytes.fp16);
    expect(megabytes.fp16).toBeGreaterThan(megabytes.q8);
    expect(megabytes.q8).toBeGreaterThan(megabytes.q4);
  }
});

test('the sizes are those of the graphs that are built, within one per cent', () => {
  const config = { channels: 4, latentHeight: 8, latentWidth: 8, patch: 2, width: 128, depth: 4, heads: 2, frames: 4, actionWidth: 10, causal: true, injection: 'film' } as const; // prettier-ignore
  const weights = openNanowm(zeros(nanowmWeights(config)));
  const { bytes } = nanowmSizes(config);
  for (const storage of ['fp32', 'fp16', 'q8', 'q4'] as const) {
    const graphs = [windowGraph(config, weights, { storage }), cachedGraph(config, weights, { storage })];
    expect(Math.abs(weightBytes(graphs) / bytes[storage] - 1), storage).toBeLessThan(0.01);
  }
});

test("the autoencoder's sizes are those of its two graphs, within one per cent", () => {
  const optional = ['quant_conv', 'post_quant_conv', 'encoder.mid_block.attentions.0.to_q', 'decoder.mid_block.attentions.0.to_q']; // prettier-ignore
  const names = weightsFrom(new Map(optional.map((name) => [`${name}.weight`, entry([0])])), 'names');
  const blockChannels = [32, 64, 64];
  const sizes = { latentChannels: 4, blockChannels, layersPerBlock: 2, groups: 32, scalingFactor: 0.18215, downsampling: 4, imageSize: null }; // prettier-ignore
  const weights = zeros(autoencoderWeights(sizes, names));
  const config = autoencoderConfig(weights, {});
  const built = [encodeGraph, decodeGraph].map((graph) =>
    weightBytes([graph(config, weights, { storage: 'fp16' })]),
  );
  expect(Math.abs((built[0]! + built[1]!) / autoencoderSizes(blockChannels).bytes.fp16 - 1)).toBeLessThan(
    0.01,
  );
});

function zeros(shapes: ReadonlyMap<string, { readonly shape: readonly number[] }>): Weights {
  return weightsFrom(new Map([...shapes].map(([name, { shape }]) => [name, entry(shape)])), 'zeros');
}

function entry(shape: readonly number[]): WeightEntry {
  const size = shape.reduce((product, side) => product * side, 1);
  const read = () => ({ dtype: 'float32', shape, data: new Float32Array(size) }) as const;
  return { dtype: 'float32', shape, read };
}
