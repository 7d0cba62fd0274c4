/** Which of some given files are the weights of a world model, of its autoencoder, and the configs beside them. */
import { invalid, missing } from '../errors.ts';
import type { Checkpoint } from '../files/checkpoint.ts';
import { parseJson } from '../files/json.ts';
import { openCheckpoints } from '../files/sharded.ts';
import type { ByteSource } from '../files/source.ts';
import type { Weights } from '../files/weights.ts';
import { parseConfig } from '../nanowm/document.ts';
import { parseActionStatistics } from './action-spec.ts';
import type { ActionStatistics } from './action-spec.ts';

export interface Part {
  readonly checkpoint: Checkpoint;
  /** Path of its first file. */
  readonly path: string;
  /** The parsed config; null when there is none. */
  readonly config: Record<string, unknown> | null;
}

export interface Parts {
  /** Paths of files of weights that are of neither: what a training leaves beside its model. */
  readonly skipped: readonly string[];
  readonly nanowm: (Part & { readonly statistics: ActionStatistics | null }) | null;
  readonly autoencoder: Part | null;
}

const ENDINGS = /\.(safetensors|ckpt|pt|pth|bin)$/i;
const INDEX = /\.index\.json$/i;
/** `model-00001-of-00003.safetensors`: what stands before the number names the whole. */
const SHARD = /-\d{5}-of-\d{5}(?=\.\w+$)/;
/** Where these are, there is a NanoWM, or both halves of an autoencoder. */
const NANOWM = /(^|\.)x_embedder\.proj\.weight$/;
const CODEC = /(^|\.)decoder\.conv_in\.weight$/;

/**
 * @param sources files whose labels are their paths
 * @throws one sentence: no weights among them, weights of neither kind, several of one kind, a config that is none
 */
export function findParts(sources: readonly ByteSource[]): Parts {
  const groups = groupsOf(sources);
  if (groups.length === 0) {
    const what = sources.length === 0 ? 'nothing was given' : `among ${listed(sources)}`;
    throw missing('weights', what, 'give a .safetensors, .ckpt, .pt, .pth or .bin file, or a bundle');
  }
  const opened: { path: string; checkpoint: Checkpoint }[] = [];
  const refused: { path: string; error: unknown }[] = [];
  for (const files of groups) {
    const path = files[0]!.label;
    try {
      opened.push({ path, checkpoint: openCheckpoints(files) });
    } catch (error) {
      refused.push({ path, error });
    }
  }
  const of = (landmark: RegExp) => opened.filter(({ checkpoint }) => holds(checkpoint.weights, landmark));
  const models = of(NANOWM);
  // A Lightning checkpoint of a world model holds its autoencoder too, which nobody wants twice.
  const codecs = of(CODEC).filter((each) => !models.includes(each));
  if (models.length === 0 && codecs.length === 0) {
    // What cannot be read explains more than what is something else.
    if (refused.length > 0) throw refused[0]!.error;
    const [first] = opened;
    const names = first!.checkpoint.weights.names.slice(0, 3).join(', ');
    throw invalid(
      'weights',
      first!.path,
      `they are of neither a NanoWM nor an AutoencoderKL (${names}, ...)`,
    );
  }
  const model = onlyOne(models, 'world models');
  const codec = onlyOne(codecs, 'autoencoders');
  const left = [...opened.filter((each) => each !== model && each !== codec), ...refused];
  return {
    skipped: left.map(({ path }) => path),
    nanowm: model && {
      ...model,
      config: configBeside(sources, model.path, /\.ya?ml$/i),
      statistics: statisticsBeside(sources, model.path),
    },
    autoencoder: codec && { ...codec, config: configBeside(sources, codec.path, /(^|\/)config\.json$/i) },
  };
}

/** Files that are one checkpoint together: the shards of one name, with their index. */
function groupsOf(sources: readonly ByteSource[]): ByteSource[][] {
  const groups = new Map<string, ByteSource[]>();
  for (const source of sources) {
    if (!ENDINGS.test(source.label) && !INDEX.test(source.label)) continue;
    const stem = source.label.replace(INDEX, '').replace(SHARD, '');
    groups.set(stem, [...(groups.get(stem) ?? []), source]);
  }
  return [...groups.values()].filter((files) => files.some(({ label }) => ENDINGS.test(label)));
}

function holds(weights: Weights, landmark: RegExp): boolean {
  return weights.names.some((name) => landmark.test(name));
}

function onlyOne<T extends { readonly path: string }>(found: readonly T[], noun: string): T | null {
  const [first, second] = found;
  if (first && second)
    throw invalid('files', `${first.path} and ${second.path}`, `both are ${noun}; give one of them`);
  return first ?? null;
}

/** Configs and statistics are small; what is not has the wrong name. */
const LARGEST_TEXT = 2 ** 24;

function textOf(source: ByteSource): string {
  if (source.size > LARGEST_TEXT)
    throw invalid('config', `${source.label} of ${source.size} bytes`, 'a config is a small text file');
  return new TextDecoder().decode(source.read(0, source.size));
}

/** The one in the weights' folder or below it, else the only one there is. */
function beside(sources: readonly ByteSource[], path: string, pattern: RegExp): ByteSource | null {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const fitting = sources.filter(({ label }) => pattern.test(label));
  const near = fitting
    .filter(({ label }) => label.startsWith(folder))
    .sort((a, b) => a.label.length - b.label.length);
  return near[0] ?? (fitting.length === 1 ? fitting[0]! : null);
}

function configBeside(
  sources: readonly ByteSource[],
  path: string,
  pattern: RegExp,
): Record<string, unknown> | null {
  const source = beside(sources, path, pattern);
  return source && parseConfig(textOf(source), source.label);
}

function statisticsBeside(sources: readonly ByteSource[], path: string): ActionStatistics | null {
  const source = beside(sources, path, /(^|\/)actions\.json$/i);
  return source && parseActionStatistics(parseJson(textOf(source), source.label), source.label);
}

function listed(sources: readonly ByteSource[]): string {
  const names = sources.slice(0, 3).map(({ label }) => label);
  return names.join(', ') + (sources.length > 3 ? `, ${sources.length - 3} more` : '');
}
