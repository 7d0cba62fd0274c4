/** Opens a graph file in Node with the weights that lie beside it. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { invalid, missing } from '../../models/errors.ts';
import { readOnnx } from '../../models/onnx/reader.ts';
import type { Shard } from '../../models/onnx/serialise.ts';
import type { GraphSession } from '../session.ts';
import { type NodeRuntime, openSession } from './session.ts';

export interface OpenFileOptions {
  readonly runtime: NodeRuntime;
  /** All cores when undefined. */
  readonly threads?: number | undefined;
}

/** @throws one sentence when the bytes are no graph, a shard is missing, or the runtime is. */
export async function openGraphFile(
  path: string,
  model: Uint8Array,
  options: OpenFileOptions,
): Promise<GraphSession> {
  const names = new Set(
    readOnnx(model).initialisers.flatMap(({ external }) => (external ? [external.path] : [])),
  );
  const shards = await Promise.all([...names].map((name) => readShard(path, name)));
  const threads = options.threads ?? availableParallelism();
  return openSession(model, { runtime: options.runtime, threads, shards, path: resolve(path) });
}

/** A graph from elsewhere must not make us read what lies outside its folder. */
async function readShard(graph: string, name: string): Promise<Shard> {
  if (name === '' || isAbsolute(name) || normalize(name).startsWith('..')) {
    throw invalid('place of weights', `${name} in ${graph}`, 'they must lie beside the graph; get it again');
  }
  try {
    return { path: name, data: new Uint8Array(await readFile(join(dirname(graph), name))) };
  } catch {
    throw missing('weights', `${name} beside ${graph}`, 'copy the whole folder of the bundle');
  }
}
