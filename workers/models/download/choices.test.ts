import { expect, test } from 'vitest';
import { choicesOf } from './choices.ts';
import type { RepositoryFile } from './choices.ts';

/** A listing as `path size`. */
const listing = (...lines: string[]): RepositoryFile[] =>
  lines.map((line) => {
    const [path, bytes] = line.split(' ') as [string, string?];
    return { path, bytes: Number(bytes ?? 1000), sha256: null };
  });
const titles = (files: RepositoryFile[], folder = '') =>
  choicesOf(files, 'o/n', folder).map(({ title }) => title);

test('a published NanoWM: its weights and its Hydra config', () => {
  const files = listing('.gitattributes', 'README.md', 'config.yaml 3100', 'model.safetensors 2230000000');
  expect(choicesOf(files, 'o/n')).toEqual([
    {
      kind: 'checkpoint',
      title: 'model.safetensors',
      weights: [files[3]],
      index: null,
      config: files[2],
      bytes: 2_230_003_100,
    },
  ]);
});

test('a published autoencoder: safetensors before .bin of the same name, with config.json', () => {
  const files = listing(
    '.gitattributes',
    'README.md',
    'config.json 547',
    'diffusion_pytorch_model.bin 334707217',
    'diffusion_pytorch_model.safetensors 334643276',
  );
  const [choice, ...others] = choicesOf(files, 'o/n');
  expect(choice).toMatchObject({ title: 'diffusion_pytorch_model.safetensors', config: files[2] });
  expect(others).toEqual([]);
});

test('a whole image generator: only its autoencoder is offered, full precision first', () => {
  const files = listing(
    'model_index.json',
    'v1-5-pruned.safetensors',
    'safety_checker/model.safetensors',
    'unet/config.json',
    'unet/diffusion_pytorch_model.safetensors',
    'vae/config.json',
    'vae/diffusion_pytorch_model.fp16.safetensors',
    'vae/diffusion_pytorch_model.safetensors',
  );
  expect(titles(files)).toEqual([
    'vae/diffusion_pytorch_model.safetensors',
    'vae/diffusion_pytorch_model.fp16.safetensors',
  ]);
  expect(choicesOf(files, 'o/n')[0]!.config!.path).toBe('vae/config.json');
});

test('shards come in their order with their index', () => {
  const files = listing(
    'config.yaml 10',
    'model-00002-of-00003.safetensors 20',
    'model-00001-of-00003.safetensors 30',
    'model-00003-of-00003.safetensors 40',
    'model.safetensors.index.json 5',
  );
  const [choice] = choicesOf(files, 'o/n');
  expect(choice!.title).toBe('model.safetensors');
  expect(choice!.weights.map(({ bytes }) => bytes)).toEqual([30, 20, 40]);
  expect(choice!.index!.path).toBe('model.safetensors.index.json');
  expect(choice!.bytes).toBe(105);
});

test('shards of which one is missing are no choice, and when there is no other it is said', () => {
  const cut = listing('model-00001-of-00003.safetensors', 'model-00003-of-00003.safetensors');
  expect(() => choicesOf(cut, 'o/n')).toThrow(
    /^missing shards: o\/n, model\.safetensors: 2 of 3; the repository is not complete/,
  );
  expect(titles([...cut, ...listing('last.ckpt')])).toEqual(['last.ckpt']);
});

test("a lab's Lightning run: the last checkpoint first, then the latest; the config of the folder above", () => {
  const files = listing(
    'run/.hydra/config.yaml',
    'run/.hydra/overrides.yaml',
    'run/checkpoints/epoch=9-step=9000.ckpt',
    'run/checkpoints/epoch=10-step=10000.ckpt',
    'run/checkpoints/last.ckpt',
    'run/optimizer.pt',
  );
  expect(titles(files)).toEqual([
    'run/checkpoints/last.ckpt',
    'run/checkpoints/epoch=10-step=10000.ckpt',
    'run/checkpoints/epoch=9-step=9000.ckpt',
  ]);
  expect(choicesOf(files, 'o/n')[0]!.config!.path).toBe('run/.hydra/config.yaml');
});

test('a config beside the weights goes before one above them, and none is none', () => {
  const files = listing('config.yaml', 'a/config.json', 'a/model.pt', 'b/model.pt');
  const configs = Object.fromEntries(
    choicesOf(files, 'o/n').map(({ title, config }) => [title, config?.path]),
  );
  expect(configs).toEqual({ 'a/model.pt': 'a/config.json', 'b/model.pt': 'config.yaml' });
  expect(choicesOf(listing('model.pt'), 'o/n')[0]!.config).toBeNull();
});

test('a bundle is offered first and whole; a manifest.json without graphs is none', () => {
  const files = listing(
    'maze/manifest.json 1',
    'maze/window.onnx 2',
    'maze/window.weights 3',
    'model.safetensors 4',
    'app/manifest.json 5',
  );
  const [bundle, ...others] = choicesOf(files, 'o/n');
  expect(bundle).toMatchObject({ kind: 'bundle', title: 'maze', bytes: 6 });
  expect(bundle!.weights).toHaveLength(3);
  expect(others.map(({ title }) => title)).toEqual(['model.safetensors']);
});

test('a folder narrows the choice', () => {
  const files = listing('a/model.safetensors', 'ab/model.safetensors', 'config.yaml');
  expect(titles(files, 'a')).toEqual(['a/model.safetensors']);
  expect(choicesOf(files, 'o/n', 'a')[0]!.config!.path).toBe('config.yaml');
  expect(() => choicesOf(files, 'o/n', 'c')).toThrow(/^missing weights: o\/n, folder c; /);
});

test('a repository without weights says which files would be some', () => {
  for (const files of [[], listing('README.md', 'model.gguf', 'tf_model.h5', 'training_args.bin')])
    expect(() => choicesOf(files, 'o/n')).toThrow(
      /^missing weights: o\/n; it has no file that ends in \.safetensors/,
    );
});
