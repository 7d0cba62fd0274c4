/** A bundle's manifest: the only way that the page, the workers and the command line know a model. */
import type { InferOutput } from 'valibot';
import { invalid, missing } from '../errors.ts';
import { parseWith } from '../schema.ts';
import { whyNoPictures } from './latents.ts';
import { manifestSchema } from './schema.ts';

export type Manifest = InferOutput<typeof manifestSchema>;
export type Architecture = NonNullable<Manifest['denoiser']>['architecture'];
export type Diffusion = NonNullable<Manifest['diffusion']>;
export type Codec = NonNullable<Manifest['codec']>;
/** A manifest that holds everything a rollout of latents needs. */
export type DenoiserManifest = Manifest & Required<Pick<Manifest, 'denoiser' | 'diffusion' | 'action'>>;

const REMEDY = 'correct manifest.json or export the bundle again';

/**
 * The manifest in `json`, checked field by field and then as a whole.
 * @throws one sentence that names the field.
 */
export function parseManifest(json: unknown): Manifest {
  const manifest = parseWith(manifestSchema, json, 'manifest', REMEDY);
  checkParts(manifest);
  checkAction(manifest);
  checkCodec(manifest);
  checkFiles(manifest);
  return manifest;
}

/** The manifest, once it is sure that a denoiser with its diffusion and actions is in it. */
export function requireDenoiser(manifest: Manifest): DenoiserManifest {
  if (manifest.denoiser && manifest.diffusion && manifest.action) return manifest as DenoiserManifest;
  throw missing('denoiser', `in bundle '${manifest.id}'`, 'choose a bundle that holds a world model');
}

/** The files of one graph: the graph itself, then its external data in the manifest's order. */
export function filesOfGraph(manifest: Manifest, graph: string): string[] {
  const shards = Object.keys(manifest.files).filter((name) => ownersOf(manifest.files[name]).includes(graph));
  return [graph, ...shards];
}

function ownersOf({ externalDataOf }: Manifest['files'][string]): readonly string[] {
  return typeof externalDataOf === 'string' ? [externalDataOf] : (externalDataOf ?? []);
}

/** Names of all graphs in the bundle, such as `window.onnx`. */
export function graphsOf(manifest: Manifest): string[] {
  const { denoiser, codec, distance } = manifest;
  return [denoiser, codec, distance].flatMap((part) =>
    Object.values(part?.graphs ?? {}).filter((file) => file !== undefined),
  );
}

function checkParts({ denoiser, diffusion, action, codec, distance }: Manifest): void {
  if (!denoiser && !codec && !distance) throw missing('manifest field', 'denoiser', REMEDY);
  if (denoiser && !diffusion) throw missing('manifest field', 'diffusion', REMEDY);
  if (denoiser && !action) throw missing('manifest field', 'action', REMEDY);
  if (!denoiser) return;
  const { graphs, architecture, context } = denoiser;
  if (!graphs.window && !graphs.cached) {
    throw missing('manifest field', 'denoiser.graphs.window', REMEDY);
  }
  if (graphs.cached && !architecture.causal) {
    wrong('denoiser.graphs.cached', graphs.cached, 'only a causal model can cache frames');
  }
  if (context >= architecture.frames) {
    wrong('denoiser.context', context, `a window has ${architecture.frames} frames`);
  }
}

function checkAction({ action, denoiser }: Manifest): void {
  if (!action) return;
  const { width, perStep, frameInterval, mean, std } = action;
  if (width !== perStep * frameInterval) {
    wrong('action.width', width, `perStep times frameInterval is ${perStep * frameInterval}`);
  }
  if (denoiser && width !== denoiser.architecture.actionWidth) {
    wrong('action.width', width, `the denoiser takes ${denoiser.architecture.actionWidth}`);
  }
  if ((mean === null) !== (std === null)) throw missing('manifest field', 'action.std', REMEDY);
  for (const [name, list] of Object.entries({ mean, std })) {
    if (list && list.length !== perStep) {
      wrong(`action.${name}`, list, `it needs ${perStep} numbers, one for each part of an action`);
    }
  }
}

function checkCodec({ codec, denoiser }: Manifest): void {
  if (!codec) return;
  const sides = codec.imageSize.map((side) => side / codec.downsampling);
  if (!sides.every(Number.isInteger)) {
    wrong('codec.imageSize', codec.imageSize, `it must be a multiple of ${codec.downsampling}`);
  }
  if (!denoiser) return;
  if (whyNoPictures(denoiser.latents ?? 'autoencoder-kl') !== null) {
    wrong('denoiser.latents', denoiser.latents, 'a codec cannot decode such latents');
  }
  const { latentHeight, latentWidth, channels } = denoiser.architecture;
  if (sides[0] !== latentHeight || sides[1] !== latentWidth) {
    wrong('codec.imageSize', codec.imageSize, `the denoiser's latents are ${latentHeight} x ${latentWidth}`);
  }
  if (codec.channels !== channels) {
    wrong('codec.channels', codec.channels, `the denoiser's latents have ${channels}`);
  }
}

function checkFiles(manifest: Manifest): void {
  const graphs = graphsOf(manifest);
  for (const graph of graphs) {
    if (!(graph in manifest.files)) throw missing('manifest field', `files.${graph}`, REMEDY);
  }
  for (const [name, file] of Object.entries(manifest.files)) {
    for (const owner of ownersOf(file)) {
      if (graphs.includes(owner)) continue;
      wrong(`files.${name}.externalDataOf`, owner, `the bundle's graphs are ${graphs.join(', ')}`);
    }
  }
}

function wrong(field: string, value: unknown, reason: string): never {
  throw invalid(`manifest field ${field}`, value, `${reason}; ${REMEDY}`);
}
