import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tensor } from '../../../models/array/tensor.ts';
import { parseManifest } from '../../../models/bundle/manifest.ts';
import type { Manifest } from '../../../models/bundle/manifest.ts';
import { writeSafetensors } from '../../../models/files/safetensors.ts';
import { exampleWeights, tensor } from '../../../models/testing/nanowm.ts';
import { referencePath } from '../../../models/testing/reference.ts';
import type { Precision, Report } from '../convert/report.ts';
import { loadArrays, saveArrays } from '../testing/npz.ts';
import { json, output, workspace } from '../testing/run.ts';
import { command } from './convert.ts';
import { command as rollout } from './rollout.ts';

const MODEL = referencePath('nanowm/additive')!;
const VAE = referencePath('autoencoder/old-names')!;

/** A folder with weights of our own and, if there is one, their config. */
function checkpoint(tensors: Record<string, Tensor>, config?: string): string {
  const folder = join(workspace(), 'checkpoint');
  mkdirSync(folder);
  writeFileSync(join(folder, 'model.safetensors'), writeSafetensors(tensors));
  if (config !== undefined) writeFileSync(join(folder, 'config.yaml'), config);
  return folder;
}

const plain = () => exampleWeights({ width: 16, headWidth: 8, patches: 16, frames: 4 });
const convert = (...argv: string[]) => output(command, argv);

describe('convert', () => {
  test('finds weights and config in a folder, and its bundle holds model and autoencoder', async () => {
    const out = join(workspace(), 'My Model');
    const said = await json(command, [
      'nanowm',
      '--weights',
      MODEL,
      '--codec-of',
      await codec(),
      '--out',
      out,
    ]);
    expect(said.questions).toEqual([]);
    const manifest = parseManifest(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')));
    expect(said.manifest).toEqual(manifest);
    expect(manifest).toMatchObject({
      id: 'my-model',
      source: 'model.safetensors',
      world: 'maze',
      action: { kind: 'maze', perStep: 2, frameInterval: 5 },
      codec: { imageSize: [16, 16] },
    });
    expect(readdirSync(out).sort()).toEqual([...Object.keys(manifest.files), 'manifest.json'].sort());
  });

  test('takes an autoencoder from its folder, and refuses one of other frames than the model has', async () => {
    const out = join(workspace(), 'both');
    const said = await json(command, ['nanowm', '--weights', MODEL, '--vae', VAE, '--out', out]);
    expect(said.manifest).toMatchObject({ codec: { imageSize: [16, 16], downsampling: 2 } });
    expect(said.notes).toContainEqual(expect.stringMatching(/^The config says images of 64 pixels/));
  });

  test('says what nothing told, the default, and the option that changes it', async () => {
    const folder = checkpoint(plain());
    const text = await convert('nanowm', '--weights', folder, '--out', join(folder, 'out'));
    expect(text).toContain(
      'Not known: prediction; v is used (--prediction changes it). It is a choice of the training',
    );
    const answers = [
      ...['--injection', 'adaln_fuse', '--causal', 'false', '--prediction', 'flow', '--world', 'other'],
      ...['--context', '2', '--action-dim', '1', '--stabilisation', '0', '--dtype', 'q8', '--steps', '7'],
    ];
    const said = await json(command, [
      'nanowm',
      '--weights',
      folder,
      '--out',
      join(folder, 'out'),
      ...answers,
    ]);
    expect(said.questions).toEqual([]);
    expect(said.manifest).toMatchObject({
      denoiser: {
        architecture: { injection: 'adaln_fuse', causal: false },
        context: 2,
        stabilisation: 0,
        sampling: { steps: 7 },
      },
      diffusion: { prediction: 'flow' },
      action: { perStep: 1, frameInterval: 2 },
    });
  });

  test('says what is left out, and what is not followed', async () => {
    const folder = checkpoint({ ...plain(), 'head.bias': tensor([3]) }, 'model: { num_frames: 16 }');
    const text = await convert('nanowm', '--weights', folder, '--out', join(folder, 'out'));
    expect(text).toContain('A tensor that is no part of a NanoWM is left out: head.bias.');
    expect(text).toContain('The config says 16 frames; the weights hold 4, and these are used.');
  });

  test('takes weights in several files by their index, as one', async () => {
    const folder = workspace();
    const names = Object.keys(plain());
    const halves = [names.slice(0, 20), names.slice(20)];
    const weight_map: Record<string, string> = {};
    halves.forEach((half, i) => {
      const file = `model-0000${i + 1}-of-00002.safetensors`;
      const tensors = Object.fromEntries(half.map((name) => [name, plain()[name]!]));
      writeFileSync(join(folder, file), writeSafetensors(tensors));
      for (const name of half) weight_map[name] = file;
    });
    writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify({ weight_map }));
    const run = (weights: string, out: string) =>
      json(command, [
        'nanowm',
        '--weights',
        weights,
        '--out',
        join(folder, out),
        '--id',
        'a',
        '--source',
        'b',
      ]);
    const [parts, whole] = [await run(folder, 'parts'), await run(checkpoint(plain()), 'whole')];
    expect(parts.manifest).toEqual(whole.manifest);
  });

  test.skipIf(referencePath('checkpoints') === null)(
    'takes what a Lightning checkpoint says of itself where there is no config, and says where weights lie',
    async () => {
      const argv = ['nanowm', '--weights', referencePath('checkpoints/lightning.ckpt')!];
      const said = await json(command, [...argv, '--out', join(workspace(), 'o')]);
      expect(said.notes).toContain(
        'The config says 12 blocks (NanoWM-B/2); the weights hold 2, and these are used.',
      );
      const asked = (said.questions as { field: string }[]).map(({ field }) => field);
      expect(asked).toContain('prediction');
      await expect(convert(...argv, '--out', 'o', '--part', 'ema')).rejects.toThrow(
        /^missing part: 'ema' of /,
      );
    },
  );

  test('a model of features becomes a bundle without a codec, with a sentence about it', async () => {
    const weights = exampleWeights({ width: 16, headWidth: 8, patches: 16, patch: 1, channels: 128 });
    const folder = checkpoint(weights, 'latent_codec: { kind: webdino }');
    const out = join(folder, 'out');
    const said = await json(command, ['nanowm', '--weights', folder, '--out', out]);
    expect(said.manifest).toMatchObject({ denoiser: { latents: 'webdino' } });
    expect(said.notes).toContainEqual(expect.stringMatching(/features of WebDINO.*not pictures\.$/));
    await expect(convert('nanowm', '--weights', folder, '--vae', VAE, '--out', out)).rejects.toThrow(
      /^invalid autoencoder: webdino; leave it out/,
    );

    const normals = tensor([1, 128, 4, 4]);
    const network_actions = tensor([3, 2]);
    const clip = saveArrays(join(folder, 'clip.npz'), { latents: normals, network_actions });
    const run = ['--bundle', out, '--steps', '2', '--out', out, '--clip'];
    expect(await output(rollout, [...run, clip])).toMatch(/features of WebDINO.*not pictures\./);
    const made = loadArrays(join(out, 'rollout.npz'));
    expect([made.get('latents').shape, made.has('frames')]).toEqual([[3, 128, 4, 4], false]);
    const frames = { dtype: 'uint8', shape: [1, 56, 56, 3], data: new Uint8Array(56 * 56 * 3) } as const;
    const film = saveArrays(join(folder, 'film.npz'), { frames, network_actions });
    await expect(output(rollout, [...run, film])).rejects.toThrow(
      /^unsupported frames: in bundle 'out'; this model predicts features of WebDINO, for which there is no decoder/,
    );
  });

  test('an autoencoder alone needs the size of its frames, from its config or from an option', async () => {
    const folder = join(workspace(), 'vae');
    cpSync(VAE, folder, { recursive: true });
    const config = join(folder, 'config.json');
    const said = JSON.parse(readFileSync(config, 'utf8')) as Record<string, unknown>;
    const other = join(workspace(), 'config.json');
    writeFileSync(other, JSON.stringify({ ...said, sample_size: null }));
    const argv = ['vae', '--weights', folder, '--config', other, '--out', join(workspace(), 'o')];
    await expect(convert(...argv)).rejects.toThrow(/^missing sample_size: in the autoencoder config/);
    expect((await json(command, [...argv, '--image-size', '48'])).manifest).toMatchObject({
      codec: { imageSize: [48, 48] },
    });
  });

  test('measures every precision against float32 when it is asked to', async () => {
    const argv = ['nanowm', '--weights', MODEL, '--out', join(workspace(), 'o'), '--report', 'all'];
    const { report, manifest } = (await json(command, argv)) as { report: Report; manifest: Manifest };
    const [fp32, fp16, q8, q4] = report.precisions as [Precision, Precision, Precision, Precision];
    expect([fp32.dtype, fp32.relative, fp32.psnr]).toEqual(['fp32', 0, null]);
    expect([fp16.dtype, fp16.of]).toEqual(['fp16', 'latents']);
    expect(fp16.bytes).toBe(Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0));
    for (const { relative, psnr, notFinite, range } of [fp16, q8, q4]) {
      expect(relative).toBeGreaterThan(0);
      expect(relative).toBeLessThan(0.05);
      expect(psnr).toBeGreaterThan(40);
      expect([notFinite, range]).toEqual([0, fp32.range]);
    }
    expect(fp32.bytes).toBeGreaterThan(fp16.bytes);
    expect(fp16.bytes).toBeGreaterThan(q8.bytes);
    expect(q8.bytes).toBeGreaterThan(q4.bytes);
  });

  test('measures with an autoencoder in pixels, the precision that is written alone', async () => {
    const out = join(workspace(), 'o');
    const text = await convert(
      ...['nanowm', '--weights', MODEL, '--vae', VAE, '--out', out, '--report', 'chosen', '--dtype', 'q8'],
    );
    expect(text).toMatch(/\nq8 +\d+\.\d [kM]B +\d\.\de-\d +\d\d\.\d\n/);
    expect(text).toMatch(/\nPSNR: of the frames, after a window in 10 steps/);
    expect(text).not.toMatch(/\nfp16 +\d+\.\d [kM]B +\d/);
    const vae = await json(command, ['vae', '--weights', VAE, '--out', out, '--report', 'chosen']);
    expect((vae.report as Report).precisions).toMatchObject([{ dtype: 'fp16', of: 'pixels', notFinite: 0 }]);
  });

  test('that is interrupted leaves nothing', async () => {
    const out = join(workspace(), 'out');
    const argv = ['nanowm', '--weights', MODEL, '--out', out];
    await expect(output(command, argv, { aborted: true })).rejects.toMatchObject({ name: 'aborted' });
    expect(readdirSync(out)).toEqual([]);
  });
});

/** A bundle of the small autoencoder. */
async function codec(): Promise<string> {
  const out = join(workspace(), 'codec');
  await convert('vae', '--weights', VAE, '--out', out, '--image-size', '16');
  return out;
}

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
