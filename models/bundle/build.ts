/** Makes a model bundle (design.md section 3) from the weights of a denoiser, of a codec, or of both. */
import { autoencoderConfig } from '../autoencoder/config.ts';
import type { AutoencoderConfig } from '../autoencoder/config.ts';
import { decodeGraph } from '../autoencoder/decode.ts';
import { encodeGraph } from '../autoencoder/encode.ts';
import { invalid, missing, unsupported } from '../errors.ts';
import type { Weights } from '../files/weights.ts';
import { cachedGraph } from '../nanowm/cached.ts';
import { nanowmConfig } from '../nanowm/config.ts';
import type { NanowmConfig } from '../nanowm/config.ts';
import type { HydraFacts } from '../nanowm/hydra.ts';
import { TIMESTEPS } from '../nanowm/timesteps.ts';
import { openNanowm } from '../nanowm/weights.ts';
import { windowGraph } from '../nanowm/window.ts';
import type { Graph } from '../onnx/graph.ts';
import { pack, weightBytes } from '../onnx/serialise.ts';
import { bitsOf } from '../onnx/storage.ts';
import type { Storage } from '../onnx/storage.ts';
import { filesOfGraph, parseManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';

type Denoiser = NonNullable<Manifest['denoiser']>;
type Action = NonNullable<Manifest['action']>;

export interface NanowmPart extends Pick<Denoiser, 'latents' | 'context' | 'stabilisation' | 'sampling'> {
  readonly weights: Weights;
  /** What the config beside the weights says; empty when there is none. */
  readonly facts: Partial<HydraFacts>;
  readonly diffusion: NonNullable<Manifest['diffusion']>;
  readonly action: Pick<Action, 'kind' | 'perStep' | 'mean' | 'std'>;
}

export interface AutoencoderPart {
  readonly weights: Weights;
  /** Parsed config.json. */
  readonly config: unknown;
}

/** The codec of another bundle, taken over file by file. */
export interface BorrowedCodec {
  readonly manifest: Manifest;
  read(name: string): Promise<Uint8Array>;
}

export interface BundleRequest extends Pick<
  Manifest,
  'id' | 'title' | 'source' | 'licence' | 'world' | 'display'
> {
  readonly storage: Storage;
  readonly nanowm?: NanowmPart;
  /** At most one of these two. */
  readonly autoencoder?: AutoencoderPart;
  readonly codec?: BorrowedCodec;
}

/** Where the files of a bundle go, in this order: weights before their graph, `manifest.json` last. */
export interface Sink {
  /** `bytes` is the sink's to keep. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

export interface Building {
  /** SHA-256 in small hexadecimal digits. */
  readonly sha256: (bytes: Uint8Array) => Promise<string>;
  /** Bytes written of the bundle's weights, after each file. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Awaited before each file: throws to end the work. */
  readonly pause?: () => Promise<void>;
}

/**
 * Writes the bundle's files to `sink`. At most one of them is in memory at a time, and of a checkpoint that is
 * read lazily one tensor.
 * @throws one sentence when weights are wrong, parts do not fit each other, or a field is not allowed; nothing
 * is written then. What `pause` and `sink` throw.
 */
export async function buildBundle(
  request: BundleRequest,
  sink: Sink,
  { sha256, onProgress, pause }: Building,
): Promise<Manifest> {
  const { groups, parts } = graphsOfRequest(request);
  const { id, title, source, licence, world, display } = request;
  const about = { version: 1, id, title, source, licence, world, ...parts, display } as const;
  const total = groups.reduce((sum, { graphs }) => sum + weightBytes(graphs), 0);
  const borrowed = borrowedFiles(request.codec);
  parseManifest({ ...about, files: { ...unwritten(groups), ...borrowed } });
  const files: Manifest['files'] = {};
  let done = 0;
  for (const { graphs, prefix } of groups) {
    const dtype = dtypeOf(graphs[0], request.storage);
    for (const { name, bytes, externalDataOf } of pack(graphs, prefix)) {
      await pause?.();
      const [only] = externalDataOf;
      const of = externalDataOf.length > 1 ? [...externalDataOf] : only;
      const place = of === undefined ? {} : { externalDataOf: of };
      files[name] = { bytes: bytes.length, sha256: await sha256(bytes), dtype, ...place };
      done += bytes.length;
      await sink.write(name, bytes);
      onProgress?.(Math.min(done, total), total);
    }
  }
  for (const [name, file] of Object.entries(borrowed)) {
    await pause?.();
    const bytes = await request.codec!.read(name);
    if ((await sha256(bytes)) !== file.sha256)
      throw invalid('file', name, `it is not the one that bundle '${request.codec!.manifest.id}' states`);
    files[name] = file;
    await sink.write(name, bytes);
  }
  const manifest = parseManifest({ ...about, files });
  await pause?.();
  await sink.write('manifest.json', new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}

/** Graphs that share their weights, and the name of the shards that hold these. */
interface Group {
  readonly graphs: readonly [Graph, ...Graph[]];
  readonly prefix: string;
}

/** What the other bundle states of its codec's files. */
function borrowedFiles(codec: BorrowedCodec | undefined): Manifest['files'] {
  if (codec === undefined) return {};
  const { manifest } = codec;
  if (!manifest.codec) throw missing('codec', `in bundle '${manifest.id}'`, 'give one that has encode.onnx');
  const names = Object.values(manifest.codec.graphs).flatMap((graph) => filesOfGraph(manifest, graph));
  return Object.fromEntries(names.map((name) => [name, manifest.files[name]]));
}

function graphsOfRequest({ storage, nanowm, autoencoder, codec }: BundleRequest): {
  groups: Group[];
  parts: Partial<Manifest>;
} {
  const groups: Group[] = [];
  const parts: Partial<Manifest> = codec?.manifest.codec ? { codec: codec.manifest.codec } : {};
  let architecture: NanowmConfig | null = null;
  if (nanowm !== undefined) {
    const weights = openNanowm(nanowm.weights);
    architecture = nanowmConfig(weights, nanowm.facts);
    const options = { storage, looked: new Map<string, boolean>() };
    const window = windowGraph(architecture, weights, options);
    groups.push(
      architecture.causal
        ? { graphs: [window, cachedGraph(architecture, weights, options)], prefix: 'denoiser' }
        : { graphs: [window], prefix: 'window' },
    );
    Object.assign(parts, denoiserFields(nanowm, architecture));
  }
  if (autoencoder !== undefined) {
    const config = autoencoderConfig(autoencoder.weights, autoencoder.config);
    groups.push({ graphs: [encodeGraph(config, autoencoder.weights, { storage })], prefix: 'encode' });
    groups.push({ graphs: [decodeGraph(config, autoencoder.weights, { storage })], prefix: 'decode' });
    parts.codec = codecFields(config, architecture);
  }
  return { groups, parts };
}

/** Stands for files that are not made yet, so that a wrong field is said before the work is done. */
function unwritten(groups: readonly Group[]): Manifest['files'] {
  const file = { bytes: 1, sha256: '0'.repeat(64), dtype: 'fp32' } as const;
  return Object.fromEntries(groups.flatMap(({ graphs }) => graphs.map(({ name }) => [`${name}.onnx`, file])));
}

/** A graph without quantised matrices keeps its weights as fp16. */
function dtypeOf(graph: Graph, storage: Storage): Storage {
  if (bitsOf(storage) === null || graph.nodes.some(({ op }) => op === 'MatMulNBits')) return storage;
  return 'fp16';
}

function denoiserFields(part: NanowmPart, architecture: NanowmConfig): Partial<Manifest> {
  const { latents = 'autoencoder-kl', context, stabilisation, sampling, diffusion, action } = part;
  if (diffusion.steps > TIMESTEPS) {
    throw unsupported('diffusion steps', diffusion.steps, `the graph knows timesteps below ${TIMESTEPS}`);
  }
  const { actionWidth } = architecture;
  const frameInterval = actionWidth / action.perStep;
  const graphs: Denoiser['graphs'] = architecture.causal
    ? { window: 'window.onnx', cached: 'cached.onnx' }
    : { window: 'window.onnx' };
  const kind = latents === 'autoencoder-kl' ? {} : { latents };
  return {
    denoiser: { architecture, ...kind, graphs, context, stabilisation, sampling },
    diffusion,
    action: { ...action, width: actionWidth, frameInterval },
  };
}

/** With a denoiser its latents decide about the frame size, else the codec's own config. */
function codecFields(
  config: AutoencoderConfig,
  denoiser: NanowmConfig | null,
): NonNullable<Manifest['codec']> {
  const { downsampling, latentChannels: channels, scalingFactor, imageSize } = config;
  if (denoiser === null && imageSize === null) {
    throw missing('sample_size', 'in the autoencoder config', 'add the side of its images in pixels');
  }
  const height = denoiser === null ? imageSize! : denoiser.latentHeight * downsampling;
  const width = denoiser === null ? imageSize! : denoiser.latentWidth * downsampling;
  return {
    kind: 'autoencoder-kl',
    imageSize: [height, width],
    downsampling,
    channels,
    scalingFactor,
    graphs: { encode: 'encode.onnx', decode: 'decode.onnx' },
  };
}
