/** What `convert` refuses, in one sentence, with nothing written. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tensor } from '../../../models/array/tensor.ts';
import { tensor } from '../../../models/testing/nanowm.ts';
import { referencePath } from '../../../models/testing/reference.ts';
import { checkpoint, plain } from '../testing/checkpoint.ts';
import { output, workspace } from '../testing/run.ts';
import { command } from './convert.ts';

const MODEL = referencePath('nanowm/additive')!;
const VAE = referencePath('autoencoder/old-names')!;
const convert = (...argv: string[]) => output(command, argv);

describe('convert refuses in one sentence and writes nothing', () => {
  const nan = plain();
  nan['blocks.1.attn.qkv.weight']!.data[7] = NaN;
  const { 'blocks.0.mlp.w1.weight': _, 'blocks.0.mlp.w2.weight': __, ...short } = plain();
  const html = '<!DOCTYPE html><title>404</title>';
  test.each<[string, Record<string, Tensor>, string | undefined, RegExp]>([
    [
      'missing tensors',
      short,
      undefined,
      /^missing weights \(2 of 38\): blocks\.0\.mlp\.w1\.weight, blocks\.0/,
    ],
    [
      'misshapen ones',
      { ...plain(), pos_embed: tensor([1, 16, 8]) },
      undefined,
      /^invalid weight: pos_embed of/,
    ],
    ['NaN', nan, undefined, /^invalid weight: NaN in 'blocks\.1\.attn\.qkv\.weight' \(1 of 768 numbers\)/],
    [
      'no NanoWM',
      { bias: tensor([1]) },
      undefined,
      /^missing weight: x_embedder\.proj\.weight; these are not/,
    ],
    [
      'a web page as config',
      plain(),
      html,
      /^invalid config: .*config\.yaml; it is a web page, not the file/,
    ],
    ['a config that is no YAML', plain(), 'a: [', /^invalid YAML: .*config\.yaml; /],
    [
      'a config with an unknown word',
      plain(),
      'model: { action_injection: { type: x } }',
      /^unknown action inj/,
    ],
    ['a config without sense', plain(), 'model: { causal: 7 }', /^invalid model\.causal in the config: 7; /],
  ])('%s', async (_name, tensors, config, sentence) => {
    const folder = checkpoint(tensors, config);
    const out = join(folder, 'out');
    const refused = convert('nanowm', '--weights', folder, '--out', out);
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toThrow(/^[^\n]+$/);
    expect(existsSync(out) ? readdirSync(out) : []).toEqual([]);
  });

  test.each<[string[], RegExp]>([
    [[], /^missing argument: nanowm or vae; /],
    [['lpips'], /^unsupported kind: lpips; this version converts nanowm and vae/],
    [['dog'], /^unknown kind: dog; use nanowm, vae/],
    [['nanowm', '--out', 'o'], /^missing option: --weights; see --help/],
    [['nanowm', '--weights', MODEL], /^missing option: --out; see --help/],
    [['nanowm', '--weights', 'nowhere', '--out', 'o'], /^missing file: nowhere; /],
    [['nanowm', '--weights', VAE, '--out', 'o'], /^missing weight: x_embedder\.proj\.weight; these are not/],
    [['vae', '--weights', MODEL, '--out', 'o'], /^missing weight: encoder\.down_blocks\.0.*AutoencoderKL/],
    [['nanowm', '--weights', MODEL, '--out', 'o', '--dtype', 'fp8'], /^unknown --dtype: fp8; use fp32, fp16/],
    [
      ['nanowm', '--weights', MODEL, '--out', 'o', '--causal', 'maybe'],
      /^invalid --causal: maybe; give true/,
    ],
    [
      ['nanowm', '--weights', MODEL, '--out', 'o', '--action-dim', '3'],
      /^invalid width of one action: 3; it/,
    ],
    [
      ['nanowm', '--weights', MODEL, '--out', 'o', '--vae', VAE, '--codec-of', 'x'],
      /^invalid --codec-of: x; /,
    ],
    [['nanowm', '--weights', MODEL, '--out', 'o', '--stabilisation', '2'], /^invalid --stabilisation: 2; /],
  ])('%j', async (argv, sentence) => {
    await expect(convert(...argv)).rejects.toThrow(sentence);
    expect(existsSync('o')).toBe(false);
  });

  test.each<[string, string, RegExp]>([
    ['model.safetensors', '<!doctype html><p>Sign in', /^invalid checkpoint: .*; it is a web page; /],
    ['model.safetensors', '', /^invalid checkpoint: .*; it is empty; /],
    [
      'last.ckpt',
      'version https://git-lfs.github.com/spec/v1',
      /^invalid checkpoint: .*; it is a pointer of Git LFS/,
    ],
    [
      'model.safetensors.index.json',
      '{"weight_map": {"a": "1.safetensors"}}',
      /^missing file: .*1\.safetensors; /,
    ],
    [
      'model.safetensors.index.json',
      '{"weight_map": {"a": "../b"}}',
      /^invalid place of weights: \.\.\/b in /,
    ],
  ])('what stands in the place of weights: %s %s', async (name, text, sentence) => {
    const folder = workspace();
    writeFileSync(join(folder, name), text);
    await expect(convert('nanowm', '--weights', folder, '--out', join(folder, 'out'))).rejects.toThrow(
      sentence,
    );
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('weights that are cut short', async () => {
    const folder = checkpoint(plain());
    const path = join(folder, 'model.safetensors');
    writeFileSync(path, readFileSync(path).subarray(0, -4));
    await expect(convert('nanowm', '--weights', folder, '--out', join(folder, 'out'))).rejects.toThrow(
      /^invalid safetensors file: .*; it ends too early; the download may be cut short$/,
    );
  });

  test('a folder with several weights, and one without any', async () => {
    const folder = workspace();
    const run = () => convert('nanowm', '--weights', folder, '--out', join(folder, 'out'));
    await expect(run()).rejects.toThrow(
      /^missing weights: in .*; it has no file that ends in \.safetensors, /,
    );
    writeFileSync(join(folder, 'b.ckpt'), '');
    writeFileSync(join(folder, 'a.pt'), '');
    await expect(run()).rejects.toThrow(/^invalid weights: .*; it holds several \(a\.pt, b\.ckpt, \.\.\.\)/);
  });
});
