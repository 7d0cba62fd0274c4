/** A tiny bundle whose graphs keep the contract of design.md section 3 and are quick to run. */
import { createHash } from 'node:crypto';
import type { Manifest } from '../../models/bundle/manifest.ts';
import { weightsOf } from '../../models/files/weights.ts';
import { buildCached } from '../../models/nanowm/cached.ts';
import { nanowmConfig } from '../../models/nanowm/config.ts';
import { openNanowm } from '../../models/nanowm/weights.ts';
import { buildWindow } from '../../models/nanowm/window.ts';
import { Graph } from '../../models/onnx/graph.ts';
import { multiply } from '../../models/onnx/ops/arithmetic.ts';
import { serialise } from '../../models/onnx/serialise.ts';
import { exampleManifest } from '../../models/testing/manifest.ts';
import { exampleWeights } from '../../models/testing/nanowm.ts';

const LATENTS = ['batch', 4, 4, 8, 8];

/** `window`: output = x * factor * factor, whatever timesteps and actions say; 1e30 overflows. */
export function windowGraph(factor: number, output = 'output'): Uint8Array {
  const graph = new Graph('window');
  const x = graph.input('x', LATENTS);
  graph.input('timesteps', ['batch', 4]);
  graph.input('actions', ['batch', 4, 10]);
  const scale = graph.vector([factor]);
  graph.output(output, multiply(graph, multiply(graph, x, scale), scale), LATENTS);
  return serialise(graph).model;
}

export type Files = Record<string, Uint8Array>;

/** A denoiser alone, with its manifest. */
export function denoiserBundle(window: Uint8Array): Files {
  return bundleOf({ 'window.onnx': window });
}

/** A whole network of the example manifest's sizes, and these of its graphs. */
export function networkBundle(...graphs: readonly ('window' | 'cached')[]): Files {
  const weights = openNanowm(
    weightsOf(
      exampleWeights({ width: 32, headWidth: 16, depth: 4, patches: 16, frames: 4, actionWidth: 10 }),
    ),
  );
  const config = nanowmConfig(weights);
  const build = { window: buildWindow, cached: buildCached };
  return bundleOf(
    Object.fromEntries(graphs.map((graph) => [`${graph}.onnx`, build[graph](config, weights)])),
  );
}

/** A denoiser alone, of the graphs in `files`. */
export function bundleOf(files: Files): Files {
  const manifest = exampleManifest();
  delete manifest.codec;
  const graphs = Object.fromEntries(Object.keys(files).map((name) => [name.replace('.onnx', ''), name]));
  return withManifest({ ...manifest, denoiser: { ...manifest.denoiser!, graphs } }, files);
}

/** `files` and a manifest that states their true sizes and hashes. */
export function withManifest(manifest: Omit<Manifest, 'files'>, files: Files): Files {
  const stated = Object.entries(files).map(([name, bytes]) => [
    name,
    { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), dtype: 'fp32' },
  ]);
  const json = JSON.stringify({ ...manifest, files: Object.fromEntries(stated) as unknown });
  return { ...files, 'manifest.json': new TextEncoder().encode(json) };
}
