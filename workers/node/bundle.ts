/** Opens a bundle's folder in Node: manifest, checked weights, and its graphs as functions. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesOfGraph, parseManifest } from '../../models/bundle/manifest.ts';
import type { Manifest } from '../../models/bundle/manifest.ts';
import { invalid, missing } from '../../models/errors.ts';
import type { RolloutRequest } from '../../models/rollout.ts';
import { checkOutputs, denoiserParts, graphFunctions } from '../graphs.ts';
import type { Graphs } from '../graphs.ts';
import type { GraphSession } from '../session.ts';
import { openGraphFile } from './open.ts';
import type { OpenFileOptions } from './open.ts';

export interface NodeBundle extends Pick<
  RolloutRequest,
  'manifest' | 'denoise' | 'cached' | 'encode' | 'decode' | 'device'
> {
  close(): Promise<void>;
}

/** @throws one sentence: no manifest, a wrong field, a file that is missing, cut short or altered. */
export async function openBundleFolder(folder: string, options: OpenFileOptions): Promise<NodeBundle> {
  const manifest = parseManifest(await readManifest(folder));
  const { denoiser, codec } = manifest;
  const [part] = denoiserParts(manifest);
  if (!denoiser || part === undefined) {
    throw missing('denoiser', `in bundle '${manifest.id}'`, 'give a bundle that holds a world model');
  }
  const open = async (part: keyof Graphs, graph: string) => {
    const session = await openGraph(folder, manifest, graph, options);
    checkOutputs(session, part, graph, manifest);
    return session;
  };
  const network = await open(part, denoiser.graphs[part]!);
  const encode = codec ? await open('encode', codec.graphs.encode) : null;
  const decode = codec ? await open('decode', codec.graphs.decode) : null;
  const native = network.runtime.startsWith('onnxruntime-node');
  return {
    manifest,
    ...graphFunctions(manifest, { window: null, cached: null, [part]: network, encode, decode }),
    device: { runtime: network.runtime, backend: native ? 'node' : 'wasm', adapter: process.arch },
    close: async () => {
      for (const session of [network, encode, decode]) await session?.release();
    },
  };
}

async function readManifest(folder: string): Promise<unknown> {
  const path = join(folder, 'manifest.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw missing('bundle', folder, 'give a folder that holds manifest.json');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('manifest', path, 'it is not JSON; copy or export the bundle again');
  }
}

async function openGraph(
  folder: string,
  manifest: Manifest,
  graph: string,
  options: OpenFileOptions,
): Promise<GraphSession> {
  const [name, ...shards] = filesOfGraph(manifest, graph) as [string, ...string[]];
  const model = await readChecked(folder, name, manifest.files[name]);
  for (const shard of shards) await readChecked(folder, shard, manifest.files[shard]);
  return openGraphFile(join(folder, name), model, options);
}

async function readChecked(
  folder: string,
  name: string,
  said: Manifest['files'][string],
): Promise<Uint8Array> {
  const path = join(folder, name);
  let content: Uint8Array;
  try {
    content = new Uint8Array(await readFile(path));
  } catch {
    throw missing('file', path, 'copy or export the bundle again');
  }
  if (content.length !== said.bytes) {
    throw invalid(
      'file',
      path,
      `it has ${String(content.length)} bytes, the manifest says ${String(said.bytes)}; copy the bundle again`,
    );
  }
  if (createHash('sha256').update(content).digest('hex') !== said.sha256) {
    throw invalid('file', path, "its SHA-256 is not the manifest's: it was altered; copy the bundle again");
  }
  return content;
}
