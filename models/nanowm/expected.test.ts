import { describe, expect, test } from 'vitest';
import type { Tensor } from '../array/tensor.ts';
import { readSafetensors } from '../files/safetensors.ts';
import { weightsOf } from '../files/weights.ts';
import { parseYaml } from '../files/yaml.ts';
import { exampleWeights, tensor } from '../testing/nanowm.ts';
import { readReference, readReferenceText, referencePath } from '../testing/reference.ts';
import { nanowmConfig } from './config.ts';
import { checkLandmarks, checkNanowm, expectedWeights } from './expected.ts';
import { configFromHydra } from './hydra.ts';
import { openNanowm } from './weights.ts';

const MODELS = [
  'additive',
  'adaln',
  'adaln-fuse',
  'bidirectional',
  'cross-attention',
  'csgo',
  'film',
  'flow',
];

const plain = exampleWeights();
const config = nanowmConfig(openNanowm(weightsOf(plain)));
const check = (tensors: Record<string, Tensor>) => checkNanowm(openNanowm(weightsOf(tensors)), config);
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(plain).filter(([name]) => !names.includes(name)));

describe.each(MODELS)('the weights of a NanoWM: %s', (name) => {
  test.skipIf(referencePath(`nanowm/${name}`) === null)('are those that are expected, all of them', () => {
    const weights = openNanowm(readSafetensors(readReference(`nanowm/${name}/model.safetensors`)!));
    const facts = configFromHydra(parseYaml(readReferenceText(`nanowm/${name}/config.yaml`)!));
    const known = nanowmConfig(weights, facts);
    expect(checkNanowm(weights, known)).toEqual([]);
    expect([...expectedWeights(known).keys()].sort()).toEqual([...weights.names].sort());
  });
});

describe('a checkpoint', () => {
  test('that lacks weights is told all of them, up to eight by name', () => {
    expect(() => check(without('blocks.1.mlp.w1.weight'))).toThrow(
      /^missing weight: blocks\.1\.mlp\.w1\.weight; the file is no complete NanoWM; get it again/,
    );
    expect(() => check(without('final_layer.linear.bias', 'x_embedder.proj.bias'))).toThrow(
      /^missing weights \(2 of \d+\): x_embedder\.proj\.bias, final_layer\.linear\.bias; /,
    );
    const block = Object.keys(plain).filter((name) => name.startsWith('blocks.1.'));
    expect(() => check(without(...block))).toThrow(
      new RegExp(
        `^missing weights \\(11 of ${Object.keys(plain).length}\\): blocks\\.1\\.attn.* and 3 more; `,
      ),
    );
  });

  test('that lacks what says its sizes is told which those are', () => {
    const landmarks = (tensors: Record<string, Tensor>) => checkLandmarks(openNanowm(weightsOf(tensors)));
    expect(() => landmarks(without('pos_embed', 'temp_embed'))).toThrow(
      /^missing weights: pos_embed, temp_embed; they say the sizes of a NanoWM/,
    );
    const passive = Object.keys(plain).filter((name) => name.startsWith('action_embedder'));
    expect(() => landmarks(without(...passive))).toThrow(/this NanoWM was trained without actions/);
    expect(() => landmarks(plain)).not.toThrow();
  });

  test('of another shape is told what was found, what is needed and what decides', () => {
    const broken = { ...plain, 'blocks.1.attn.qkv.weight': tensor([16, 8]) };
    expect(() => check(broken)).toThrow(
      'invalid weight: blocks.1.attn.qkv.weight of shape [16, 8] where [24, 8] is needed, by the width 8 of ' +
        'x_embedder.proj.weight; the file mixes two models or was altered',
    );
    const many = Object.fromEntries(
      Object.keys(plain)
        .filter((name) => /blocks\.\d\.mlp/.test(name))
        .map((name) => [name, tensor([3, 3])]),
    );
    expect(() => check({ ...plain, ...many })).toThrow(
      /^invalid weights \(6 of \d+\): blocks\.0.* and 3 more; /,
    );
    const head = { ...plain, 'blocks.1.attn.k_norm.weight': tensor([8]) };
    expect(() => check(head)).toThrow(/by the head width 4 of blocks\.0\.attn\.q_norm\.weight/);
  });

  test('that holds more is taken, and what is left out is said', () => {
    expect(check(plain)).toEqual([]);
    expect(check({ ...plain, 'head.weight': tensor([2]) })).toEqual([
      'A tensor that is no part of a NanoWM is left out: head.weight.',
    ]);
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`head.${i}`, tensor([2])]));
    expect(check({ ...plain, ...many })).toEqual([
      '10 tensors that are no part of a NanoWM are left out: head.0, head.1, head.2, head.3, head.4, head.5, head.6, head.7 and 2 more.',
    ]);
  });

  test('may hold tables that are computed and counters of averages without a word', () => {
    const buffers = ['spatial_rope_freqs', 'temporal_rope_freqs', 'ema.num_updates', 'n_averaged'];
    const more = Object.fromEntries(buffers.map((name) => [name, tensor([2])]));
    expect(check({ ...plain, ...more })).toEqual([]);
  });

  test("keeps a hostile name out of the reader's terminal", () => {
    const [note] = check({ ...plain, ['\u001b[2J'.padEnd(500, 'x')]: tensor([1]) });
    expect(note).not.toContain('\u001b');
    expect(note!.length).toBeLessThan(250);
  });
});
