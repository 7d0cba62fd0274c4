/** What `inspect` says of a checkpoint: where its weights are, what the training run says of itself, all tensors. */
import { readdir } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { invalid } from '../../models/errors.ts';
import type { Checkpoint } from '../../models/files/checkpoint.ts';
import { openCheckpoints, readIndex } from '../../models/files/sharded.ts';
import { parameterCount } from '../../models/files/weights.ts';
import { openFile } from '../../workers/node/file-source.ts';
import { bytes, table } from './output.ts';

/** What was found: `kind` for people and programs, `lines` for people only, the rest for programs. */
export interface Finding {
  readonly kind: string;
  readonly lines: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

const KINDS: Readonly<Record<Checkpoint['format'], string>> = {
  safetensors: 'safetensors weights',
  'torch-zip': 'PyTorch weights',
  'torch-stream': 'PyTorch weights (older stream)',
  pickle: 'pickled weights',
};
const ENDINGS = ['.safetensors', '.ckpt', '.pt', '.pth', '.bin'];
const SHARD = /-\d{5}-of-\d{5}\.\w+$/;
/** Rows of hyperparameters that people are shown; programs get all. */
const MOST_ROWS = 60;

/**
 * The files of the checkpoint in `folder`: an index with its shards, shards alone, or one file; none when it
 * holds no weights. @throws one sentence when it holds several checkpoints.
 */
export async function weightsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).sort();
  const index = names.find((name) => /\.(safetensors|bin)\.index\.json$/.test(name));
  if (index !== undefined) return filesOfIndex(join(folder, index));
  const files = names.filter((name) => ENDINGS.includes(extname(name)));
  const [first, second] = files.filter((name) => !SHARD.test(name));
  if (second !== undefined) {
    throw invalid('weights', folder, `it holds several (${first}, ${second}, ...); give the file`);
  }
  return files.map((name) => join(folder, name));
}

/** The index at `path` and the shards beside it that it names. */
export function filesOfIndex(path: string): string[] {
  const index = openFile(path);
  try {
    const names = new Set(readIndex(index).values());
    return [path, ...[...names].map((name) => join(dirname(path), name))];
  } finally {
    index.close();
  }
}

/** @param paths one file, or an index and its shards; only their headers are read */
export function inspectWeights(paths: readonly string[]): Finding {
  const files = paths.map(openFile);
  try {
    const { format, weights, where, others, hyperparameters } = openCheckpoints(files);
    const tensors = weights.names.map((name) => ({
      name,
      dtype: weights.dtype(name),
      shape: weights.shape(name),
    }));
    const parameters = parameterCount(weights);
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const rows = settings(hyperparameters);
    return {
      kind: KINDS[format],
      lines: [
        `${String(tensors.length)} tensors, ${parameters.toLocaleString('en')} numbers, ${bytes(size)}`,
        ...(where === 'bare' ? [] : [`weights under ${where}`]),
        ...(others.length === 0
          ? []
          : [
              table(
                ['left out'],
                others.map((name) => [name]),
              ),
            ]),
        ...(rows.length === 0 ? [] : [table(['hyperparameter', 'value'], rows.slice(0, MOST_ROWS))]),
        ...(rows.length > MOST_ROWS ? [`${String(rows.length - MOST_ROWS)} more hyperparameters`] : []),
        table(
          ['tensor', 'dtype', 'shape'],
          tensors.map((t) => [t.name, t.dtype, t.shape.join(' x ')]),
        ),
      ],
      data: { parameters, tensors, format, where, others, hyperparameters },
    };
  } finally {
    for (const file of files) file.close();
  }
}

/** Nested settings as names with dots. */
function settings(value: unknown, prefix = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) {
    return prefix === '' ? [] : [[prefix, String(value).slice(0, 80)]];
  }
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return [[prefix, `[${value.slice(0, 20).join(', ').slice(0, 80)}]`]];
  }
  return Object.entries(value).flatMap(([key, item]) =>
    settings(item, prefix === '' ? key : `${prefix}.${key}`),
  );
}
