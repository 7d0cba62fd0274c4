/** Which files of a repository make a model: weights of one file or in shards, and the config that goes with them. */
import { missing } from '../../../models/errors.ts';

export interface RepositoryFile {
  /** From the repository's root, without a leading slash. */
  readonly path: string;
  readonly bytes: number;
  /** In hexadecimal; null where the host keeps none (small files). */
  readonly sha256: string | null;
}

export interface Choice {
  /** `bundle`: ready to run, all its files are in `weights`. */
  readonly kind: 'checkpoint' | 'bundle';
  /** The weights' path, the number of a shard left out; a bundle's folder. */
  readonly title: string;
  /** One file, or all shards in their order. */
  readonly weights: readonly RepositoryFile[];
  /** Which shard holds what; null for a single file. */
  readonly index: RepositoryFile | null;
  readonly config: RepositoryFile | null;
  /** Of all of them. */
  readonly bytes: number;
}

/**
 * What could be meant, the likeliest first: a bundle, then safetensors, then files of PyTorch.
 * @param folder only what lies in it; '' for all
 * @throws one sentence when there is nothing, or nothing whole
 */
export function choicesOf(files: readonly RepositoryFile[], id: string, folder = ''): Choice[] {
  const inside = files.filter(({ path }) => folder === '' || path.startsWith(`${folder}/`));
  const bundles = inside
    .filter(({ path }) => nameOf(path) === 'manifest.json')
    .flatMap((file) => bundleOf(inside, file));
  const taken = new Set(bundles.flatMap(({ weights }) => weights));
  const pipelines = files
    .filter(({ path }) => nameOf(path) === 'model_index.json')
    .map(({ path }) => folderOf(path));
  const loose = inside.filter((file) => !taken.has(file) && isWeights(file) && !isOtherPart(file, pipelines));
  const { whole, cut } = grouped(withoutCopies(loose));
  const checkpoints = whole.map((weights) => checkpointOf(files, weights)).sort(byLikelihood);
  const choices = [...bundles, ...checkpoints];
  if (choices.length > 0) return choices;
  if (cut !== null) throw missing('shards', `${id}, ${cut}`, 'the repository is not complete: ask its owner');
  const where = folder === '' ? id : `${id}, folder ${folder}`;
  throw missing(
    'weights',
    where,
    'it has no file that ends in .safetensors, .ckpt, .pt, .pth or .bin: check the name',
  );
}

const WEIGHTS = /\.(?:safetensors|ckpt|pt|pth|bin)$/i;
/** What a training leaves beside its weights. */
const OTHER_STATE =
  /^(?:optimizer|scheduler|scaler|rng_state.*|random_states.*|training_args|trainer_state)\.(?:pt|pth|bin)$/i;

function isWeights({ path }: RepositoryFile): boolean {
  return WEIGHTS.test(path) && !OTHER_STATE.test(nameOf(path));
}

/** Of a whole image generator only its autoencoder is of use here. */
function isOtherPart({ path }: RepositoryFile, pipelines: readonly string[]): boolean {
  const inPipeline = pipelines.some((root) => root === '' || path.startsWith(`${root}/`));
  return inPipeline && !/^vae\b/.test(nameOf(folderOf(path)));
}

/** The same weights in two formats: safetensors are read faster and hold nothing but numbers. */
function withoutCopies(files: readonly RepositoryFile[]): RepositoryFile[] {
  const key = ({ path }: RepositoryFile) =>
    `${folderOf(path)}/${nameOf(path)
      .replace(WEIGHTS, '')
      .replace(/^pytorch_model/, 'model')}`;
  const safe = new Set(files.filter(isSafe).map(key));
  return files.filter((file) => isSafe(file) || !safe.has(key(file)));
}

function isSafe({ path }: RepositoryFile): boolean {
  return /\.safetensors$/i.test(path);
}

const SHARD = /-(\d{5})-of-(\d{5})(?=\.\w+$)/;

/** Files that belong together; `cut` names a set that is not complete. */
function grouped(files: readonly RepositoryFile[]): { whole: RepositoryFile[][]; cut: string | null } {
  const sets = new Map<string, RepositoryFile[]>();
  for (const file of files) {
    const count = SHARD.exec(file.path)?.[2] ?? '';
    const key = `${titleOf(file)} ${count}`;
    sets.set(key, [...(sets.get(key) ?? []), file]);
  }
  const whole: RepositoryFile[][] = [];
  let cut: string | null = null;
  for (const set of sets.values()) {
    const sorted = set.sort((a, b) => (a.path < b.path ? -1 : 1));
    const shard = SHARD.exec(sorted[0]!.path);
    const complete = !shard || (Number(shard[2]) === sorted.length && isFirst(sorted));
    if (complete) whole.push(sorted);
    else cut ??= `${titleOf(sorted[0]!)}: ${String(sorted.length)} of ${String(Number(shard[2]))}`;
  }
  return { whole, cut };
}

function isFirst(sorted: readonly RepositoryFile[]): boolean {
  return sorted.every(({ path }, place) => Number(SHARD.exec(path)![1]) === place + 1);
}

function titleOf({ path }: RepositoryFile): string {
  return path.replace(SHARD, '');
}

function checkpointOf(files: readonly RepositoryFile[], weights: readonly RepositoryFile[]): Choice {
  const title = titleOf(weights[0]!);
  const index = weights.length > 1 ? (find(files, `${title}.index.json`) ?? null) : null;
  const config = configFor(files, title);
  return { kind: 'checkpoint', title, weights, index, config, bytes: sum([...weights, index, config]) };
}

const HYDRA = ['config.yaml', 'config.yml', '.hydra/config.yaml', 'hparams.yaml'];

/** The nearest config: beside the weights, else in a folder above them. */
function configFor(files: readonly RepositoryFile[], weights: string): RepositoryFile | null {
  const names = /^diffusion_pytorch_model\b/.test(nameOf(weights))
    ? ['config.json', ...HYDRA]
    : [...HYDRA, 'config.json'];
  for (let folder = folderOf(weights); ; folder = folderOf(folder)) {
    for (const name of names) {
      const config = find(files, folder === '' ? name : `${folder}/${name}`);
      if (config) return config;
    }
    if (folder === '') return null;
  }
}

/** The folder of a manifest, when there is a graph in it: other tools have a manifest.json too. */
function bundleOf(files: readonly RepositoryFile[], manifest: RepositoryFile): Choice[] {
  const folder = folderOf(manifest.path);
  const beside = files.filter(({ path }) => folderOf(path) === folder);
  if (!beside.some(({ path }) => path.endsWith('.onnx'))) return [];
  const title = folder === '' ? 'bundle' : folder;
  return [{ kind: 'bundle', title, weights: beside, index: null, config: null, bytes: sum(beside) }];
}

/** Usual names before others, whole precision before variants, few folders before many, late before early. */
function byLikelihood(a: Choice, b: Choice): number {
  const rank = ({ title, weights }: Choice) => {
    const name = nameOf(title);
    const usual = /^(?:model|diffusion_pytorch_model|pytorch_model|last|best)\.\w+$/.test(name);
    const variant = /\.(?:fp16|bf16|non_ema)\./.test(name);
    return [isSafe(weights[0]!) ? 0 : 1, variant ? 2 : usual ? 0 : 1, title.split('/').length];
  };
  const [ranksA, ranksB] = [rank(a), rank(b)];
  const place = ranksA.findIndex((value, at) => value !== ranksB[at]);
  if (place >= 0) return ranksA[place]! - ranksB[place]!;
  return b.title.localeCompare(a.title, 'en', { numeric: true });
}

function find(files: readonly RepositoryFile[], path: string): RepositoryFile | undefined {
  return files.find((file) => file.path === path);
}

function sum(files: readonly (RepositoryFile | null)[]): number {
  return files.reduce((total, file) => total + (file?.bytes ?? 0), 0);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
