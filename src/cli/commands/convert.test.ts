import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseManifest } from '../../../models/bundle/manifest.ts';
import type { Manifest } from '../../../models/bundle/manifest.ts';
import { writeSafetensors } from '../../../models/files/safetensors.ts';
import { exampleWeights, tensor } from '../../../models/testing/nanowm.ts';
import { referencePath } from '../../../models/testing/reference.ts';
import type { Precision, Report } from '../convert/report.ts';
import { checkpoint, plain } from '../testing/checkpoint.ts';
import { loadArrays, saveArrays } from '../testing/npz.ts';
import { json, output, workspace } from '../testing/run.ts';
import { command } from './convert.ts';
import { command as rollout } from './rollout.ts';

const MODEL = referencePath('nanowm/additive')!;
const VAE = referencePath('autoencoder/old-names')!;

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
