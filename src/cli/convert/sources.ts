/** The files of a checkpoint: named on the command line, or found in a folder. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { parseActionStatistics } from '../../../models/bundle/action-spec.ts';
import type { ActionStatistics } from '../../../models/bundle/action-spec.ts';
import { invalid, missing, shown } from '../../../models/errors.ts';
import { openCheckpoints, readIndex } from '../../../models/files/sharded.ts';
import type { Weights } from '../../../models/files/weights.ts';
import { parseConfig } from '../../../models/nanowm/document.ts';
import { listed } from '../../../models/onnx/expected.ts';
import { openFile } from '../../../workers/node/file-source.ts';
import type { FileSource } from '../../../workers/node/file-source.ts';
import { isFolder, readJson, readText } from '../files.ts';

export interface Source {
  readonly weights: Weights;
  /** Path of the file with the weights, or of the index of several. */
  readonly path: string;
  /** The parsed config; null when there is none. */
  readonly config: Record<string, unknown> | null;
  /** Inside a Lightning checkpoint; null otherwise. */
  readonly hyperparameters: unknown;
  /** What the reader has to say. */
  readonly notes: readonly string[];
  /** To be called when no weight is needed any more. */
  close(): void;
}

/** In this order; of other files there must be one alone. */
const WEIGHTS = [
  'model.safetensors',
  'diffusion_pytorch_model.safetensors',
  'model.safetensors.index.json',
  'diffusion_pytorch_model.safetensors.index.json',
  'diffusion_pytorch_model.bin',
];
const ENDINGS = ['.safetensors', '.ckpt', '.pt', '.pth', '.bin'];
const CONFIGS = ['config.yaml', 'config.yml', 'config.json', join('.hydra', 'config.yaml')];
/** Other weights that a training keeps beside those that are taken. */
const TWINS = /^(?:ema|model_ema|ema_model|model|state_dict)(?:$|\.)/;

/**
 * @param given a file, or a folder that holds weights and perhaps their config
 * @param config a file; without it the folder's, if there is one
 * @param part where the weights lie in a file that has several, such as `ema`
 */
export async function openSource(
  given: string,
  config: string | undefined,
  part: string | undefined,
): Promise<Source> {
  const folder = await isFolder(given);
  const path = folder ? await weightsIn(given) : given;
  const beside = folder
    ? CONFIGS.map((name) => join(given, name)).find((each) => existsSync(each))
    : undefined;
  const place = config ?? beside;
  // The config first: a wrong one should not wait for a large file.
  const parsed = place === undefined ? null : parseConfig(await readText(place), place);
  const files: FileSource[] = [];
  const close = () => {
    for (const file of files) file.close();
  };
  try {
    files.push(openFile(path));
    // An index names its shards, which lie beside it.
    if (path.endsWith('.index.json'))
      for (const name of new Set(readIndex(files[0]!).values()))
        files.push(openFile(join(dirname(path), name)));
    const { weights, hyperparameters, where, others } = openCheckpoints(files, { part });
    const twins = others.filter((name) => TWINS.test(name));
    const note = `The weights are those under ${where}; the file also holds ${listed(twins.map(shown))} (--part takes others).`;
    return { weights, path, config: parsed, hyperparameters, notes: twins.length > 0 ? [note] : [], close };
  } catch (error) {
    close();
    throw error;
  }
}

async function weightsIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  const known = WEIGHTS.find((name) => names.includes(name));
  if (known !== undefined) return join(folder, known);
  const [first, second] = names.filter((name) => ENDINGS.includes(extname(name))).sort();
  if (first === undefined)
    throw missing('weights', `in ${folder}`, `it has no file that ends in ${ENDINGS.join(', ')}; give one`);
  if (second === undefined) return join(folder, first);
  throw invalid('weights', folder, `it holds several (${first}, ${second}, ...); give the file`);
}

/**
 * Mean and standard deviation of one environment step's action.
 * @param given a JSON file; without it actions.json beside the weights
 * @returns null when there is neither: then the model takes actions as recorded
 */
export async function readStatistics(
  given: string | undefined,
  weights: string,
): Promise<ActionStatistics | null> {
  const beside = join(dirname(weights), 'actions.json');
  const path = given ?? (existsSync(beside) ? beside : undefined);
  if (path === undefined) return null;
  return parseActionStatistics(await readJson(path), path);
}
