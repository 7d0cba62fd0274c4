/** Checkpoints in several files: shards with an index that says which weight lies where, as transformers writes. */
import * as v from 'valibot';
import { invalid, missing } from '../errors.ts';
import { parseWith } from '../schema.ts';
import { openCheckpoint } from './checkpoint.ts';
import type { Checkpoint, CheckpointOptions } from './checkpoint.ts';
import { parseJson } from './json.ts';
import type { ByteSource } from './source.ts';
import { weightsFrom } from './weights.ts';
import type { WeightEntry } from './weights.ts';

const indexSchema = v.looseObject({ weight_map: v.record(v.string(), v.string()) });
/** Bytes of the largest index that we read; a model of 3000 weights needs 300 KB. */
const LARGEST_INDEX = 2 ** 26;
const MOST_SHARDS = 1000;
/** `model-00001-of-00003.safetensors`. */
const SHARD = /^(.*)-(\d{5})-of-(\d{5})(\.\w+)$/;

/**
 * One file, or all shards of one checkpoint with or without their index (`*.index.json`), in any order.
 * @throws one sentence when a shard is missing or holds other weights than the index says.
 */
export function openCheckpoints(sources: readonly ByteSource[], options: CheckpointOptions = {}): Checkpoint {
  const index = sources.find(({ label }) => label.endsWith('.json'));
  const files = sources.filter((source) => source !== index);
  if (files.length === 0)
    throw missing('weights', index?.label ?? 'checkpoint', 'give the files of the weights');
  const places = index ? readIndex(index) : null;
  checkShards(files, places);
  const shards = files.map((source) => ({ source, checkpoint: openCheckpoint(source, options) }));
  const [{ checkpoint: first }] = shards;
  if (shards.length === 1 && !places) return first;
  const entries = new Map<string, WeightEntry>();
  for (const { source, checkpoint } of shards) {
    const { weights } = checkpoint;
    for (const name of weights.names) {
      if (places && places.get(name) !== fileName(source.label)) continue;
      if (entries.has(name)) {
        throw invalid(
          'weight',
          `${name} in ${source.label}`,
          'another file has it too; give one checkpoint only',
        );
      }
      entries.set(name, {
        dtype: weights.dtype(name),
        shape: weights.shape(name),
        read: () => weights.get(name),
      });
    }
  }
  for (const [name, file] of places ?? []) {
    if (!entries.has(name)) {
      throw missing(
        'weight',
        `${name} in ${file}`,
        'the index says it is there; fetch index and shards again',
      );
    }
  }
  const said = shards.find(({ checkpoint }) => checkpoint.hyperparameters !== null);
  return {
    ...first,
    weights: weightsFrom(entries, index?.label ?? `${files[0].label} and the other files`),
    hyperparameters: said?.checkpoint.hyperparameters ?? null,
    others: [...new Set(shards.flatMap(({ checkpoint }) => checkpoint.others))],
  };
}

/** The file of each weight. @throws one sentence when the index is none, or names places elsewhere. */
export function readIndex(source: ByteSource): ReadonlyMap<string, string> {
  if (source.size > LARGEST_INDEX) {
    throw invalid('index', source.label, 'it is too large for one; give the index.json of the checkpoint');
  }
  const text = new TextDecoder().decode(source.read(0, source.size));
  const remedy = 'give the index.json of the checkpoint';
  const { weight_map: places } = parseWith(indexSchema, parseJson(text, source.label), 'index', remedy);
  const strange = Object.values(places).find((file) => file !== fileName(file) || file.startsWith('.'));
  if (strange !== undefined) {
    throw invalid(
      'place of weights',
      `${strange} in ${source.label}`,
      'they must lie beside the index; get it again',
    );
  }
  return new Map(Object.entries(places));
}

/** @throws a sentence with the names of the shards that are not among `files`. */
function checkShards(files: readonly ByteSource[], places: ReadonlyMap<string, string> | null): void {
  const given = new Set(files.map(({ label }) => fileName(label)));
  const wanted = places ? [...new Set(places.values())] : [...given].flatMap(shardNames);
  const absent = [...new Set(wanted)].filter((name) => !given.has(name)).sort();
  if (absent.length === 0) return;
  const names = absent.slice(0, 3).join(', ') + (absent.length > 3 ? `, ${absent.length - 3} more` : '');
  throw missing('files', names, 'the checkpoint is in several files; give all of them');
}

/** All shards of the checkpoint that the file `name` is one of; none where it is whole. */
function shardNames(name: string): string[] {
  const [, stem, , count, ending] = SHARD.exec(name) ?? [];
  if (stem === undefined || Number(count) > MOST_SHARDS) return [];
  return Array.from(
    { length: Number(count) },
    (_, i) => `${stem}-${String(i + 1).padStart(5, '0')}-of-${count}${ending}`,
  );
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1)!;
}
