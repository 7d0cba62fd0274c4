/** One graph's files, once more: what opened a bundle does not keep them in memory. */
import { filesOfGraph } from '../../models/bundle/manifest.ts';
import type { Manifest } from '../../models/bundle/manifest.ts';
import type { GraphFile } from './session.ts';
import { loadWeights } from './weights.ts';
import type { Sources } from './weights.ts';

/** Bytes of all files of these graphs; one that several share counts once. */
export function bytesOf(manifest: Manifest, graphs: readonly string[]): number {
  const names = new Set(graphs.flatMap((graph) => filesOfGraph(manifest, graph)));
  return [...names].reduce((sum, name) => sum + manifest.files[name]!.bytes, 0);
}

/** @param url the bundle's folder. @throws one sentence about the first file that is missing or wrong */
export async function loadGraph(
  manifest: Manifest,
  url: string,
  name: string,
  sources: Sources,
): Promise<GraphFile> {
  const paths = filesOfGraph(manifest, name);
  const address = (path: string) => new URL(path, url).href;
  const wanted = paths.map((path) => ({ url: address(path), ...manifest.files[path]! }));
  const { files } = await loadWeights(wanted, sources, () => undefined);
  const [model, ...shards] = paths.map((path) => ({ path, data: files.get(address(path))! }));
  return { name, model: model!.data, shards };
}
