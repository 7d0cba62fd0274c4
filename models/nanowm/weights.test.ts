import { describe, expect, test } from 'vitest';
import { weightsOf } from '../files/weights.ts';
import { exampleWeights, tensor } from '../testing/nanowm.ts';
import { nanowmConfig } from './config.ts';
import { openNanowm } from './weights.ts';
import { buildWindow, windowGraph } from './window.ts';

const plain = exampleWeights();
const build = (tensors: typeof plain) => {
  const weights = openNanowm(weightsOf(tensors));
  return buildWindow(nanowmConfig(weights), weights);
};

describe('the weights of a NanoWM', () => {
  test.each(['', 'model.', 'module.', '_orig_mod.', 'model._orig_mod.', 'state_dict.model.'])(
    'are found behind the prefix "%s", beside those of a VAE',
    (prefix) => {
      const wrapped = Object.fromEntries(
        Object.entries(plain).map(([name, value]) => [`${prefix}${name}`, value]),
      );
      const file = { ...wrapped, [`${prefix}vae.conv.weight`]: tensor([1]), 'vae.bias': tensor([2]) };
      const weights = openNanowm(weightsOf(file));
      expect(weights.names).toEqual(Object.keys(plain));
      expect(weights.get('pos_embed', [1, 4, 8])).toEqual(plain.pos_embed!.data);
    },
  );

  test.each(Object.keys(plain))('without %s make one sentence', (name) => {
    const { [name]: absent, ...rest } = plain;
    expect(absent).toBeDefined();
    expect(() => build(rest)).toThrow(
      new RegExp(`^missing weight: ${name.replaceAll('.', '\\.')}; [^\\n]+$`),
    );
  });

  test.each(Object.keys(plain).filter((name) => name.startsWith('blocks.1.')))(
    'with %s misshapen make one sentence',
    (name) => {
      const { shape } = plain[name]!;
      expect(() => build({ ...plain, [name]: tensor([...shape.slice(0, -1), shape.at(-1)! + 1]) })).toThrow(
        new RegExp(`^invalid weight: ${name.replaceAll('.', '\\.')} of shape [^\\n]+$`),
      );
    },
  );

  test('with a number that is not finite make one sentence', () => {
    const broken = tensor([8, 8]);
    broken.data[5] = NaN;
    expect(() => build({ ...plain, 'blocks.1.attn.proj.weight': broken })).toThrow(
      /^invalid weight: NaN in 'blocks.1.attn.proj.weight'; every weight must be a finite number/,
    );
  });

  test('that are none make one sentence', () => {
    expect(() => openNanowm(weightsOf({ 'conv.weight': tensor([3]) }))).toThrow(
      /^missing weight: x_embedder.proj.weight/,
    );
  });

  test('stored twice make one sentence', () => {
    expect(() => openNanowm(weightsOf({ ...plain, 'model.pos_embed': plain.pos_embed! }))).toThrow(
      /^invalid weights: pos_embed; the file holds it twice/,
    );
  });

  test('give the same graph, byte for byte, each time', () => {
    expect(build(plain)).toEqual(build(plain));
  });

  test('are all in the graph: as many numbers, but for what is computed beforehand', () => {
    const weights = openNanowm(weightsOf(plain));
    const graph = windowGraph(nanowmConfig(weights), weights);
    const named = new Set(graph.initialisers.map(({ name }) => name));
    const absent = Object.keys(plain).filter((name) => !named.has(name));
    expect(absent).toEqual(Object.keys(plain).filter((name) => name.startsWith('t_embedder.')));
  });
});
