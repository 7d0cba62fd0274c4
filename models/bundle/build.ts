/** Makes a model bundle (design.md section 3) from the weights of a denoiser, of a codec, or of both. */
import { autoencoderConfig } from '../autoencoder/config.ts';
import type { AutoencoderConfig } from '../autoencoder/config.ts';
import { decodeGraph } from '../autoencoder/decode.ts';
import { encodeGraph } from '../autoencoder/encode.ts';
import { missing, unsupported } from '../errors.ts';
import type { Weights } from '../files/weights.ts';
import { nanowmConfig } from '../nanowm/config.ts';
import type { NanowmConfig } from '../nanowm/config.ts';
import type { HydraFacts } from '../nanowm/hydra.ts';
import { TIMESTEPS } from '../nanowm/timesteps.ts';
import { openNanowm } from '../nanowm/weights.ts';
import { windowGraph } from '../nanowm/window.ts';
import type { Graph } from '../onnx/graph.ts';
import type { Storage } from '../onnx/initialiser.ts';
import { MAX_SHARD_BYTES, serialise } from '../onnx/serialise.ts';
import { parseManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';

type Denoiser = NonNullable<Manifest['denoiser']>;
type Action = NonNullable<Manifest['action']>;

export interface NanowmPart extends Pick<Denoiser, 'context' | 'stabilisation' | 'sampling'> {
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

export interface BundleRequest extends Pick<
  Manifest,
  'id' | 'title' | 'source' | 'licence' | 'world' | 'display'
> {
  readonly storage: Storage;
  readonly nanowm?: NanowmPart;
  readonly autoencoder?: AutoencoderPart;
}

export interface BundleFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Bundle {
  readonly manifest: Manifest;
  /** The graphs and their weights, then `manifest.json`. */
  readonly files: readonly BundleFile[];
}

/** SHA-256 in small hexadecimal digits. */
export type Sha256 = (bytes: Uint8Array) => Promise<string>;

/** @throws one sentence when weights are wrong, parts do not fit each other, or a field is not allowed. */
export async function buildBundle(request: BundleRequest, sha256: Sha256): Promise<Bundle> {
  const { storage, nanowm, autoencoder, id, title, source, licence, world, display } = request;
  const graphs: Graph[] = [];
  const parts: Partial<Manifest> = {};
  let architecture: NanowmConfig | null = null;
  if (nanowm !== undefined) {
    const weights = openNanowm(nanowm.weights);
    architecture = nanowmConfig(weights, nanowm.facts);
    graphs.push(windowGraph(architecture, weights, { storage }));
    Object.assign(parts, denoiserFields(nanowm, architecture));
  }
  if (autoencoder !== undefined) {
    const config = autoencoderConfig(autoencoder.weights, autoencoder.config);
    graphs.push(encodeGraph(config, autoencoder.weights, { storage }));
    graphs.push(decodeGraph(config, autoencoder.weights, { storage }));
    parts.codec = codecFields(config, architecture);
  }
  const built = graphs.flatMap(filesOf);
  const dtype = storage === 'float16' ? 'fp16' : 'fp32';
  const stated: Manifest['files'] = {};
  for (const { name, bytes, externalDataOf } of built) {
    const place = externalDataOf === undefined ? {} : { externalDataOf };
    stated[name] = { bytes: bytes.length, sha256: await sha256(bytes), dtype, ...place };
  }
  const manifest = parseManifest({
    version: 1,
    id,
    title,
    source,
    licence,
    world,
    ...parts,
    display,
    files: stated,
  });
  const json = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
  const files = [
    ...built.map(({ name, bytes }) => ({ name, bytes })),
    { name: 'manifest.json', bytes: json },
  ];
  return { manifest, files };
}

function denoiserFields(part: NanowmPart, architecture: NanowmConfig): Partial<Manifest> {
  const { context, stabilisation, sampling, diffusion, action } = part;
  if (diffusion.steps > TIMESTEPS) {
    throw unsupported('diffusion steps', diffusion.steps, `the graph knows timesteps below ${TIMESTEPS}`);
  }
  const { actionWidth } = architecture;
  const frameInterval = actionWidth / action.perStep;
  return {
    denoiser: { architecture, graphs: { window: 'window.onnx' }, context, stabilisation, sampling },
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

interface GraphFile extends BundleFile {
  readonly externalDataOf?: string;
}

/** One file while it is no larger than a shard may be, else the graph and its shards. */
function filesOf(graph: Graph): GraphFile[] {
  const name = `${graph.name}.onnx`;
  const weightBytes = graph.initialisers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const beside = weightBytes > MAX_SHARD_BYTES ? { externalData: { prefix: graph.name } } : {};
  const { model, shards } = serialise(graph, beside);
  return [
    { name, bytes: model },
    ...shards.map(({ path, data }) => ({ name: path, bytes: data, externalDataOf: name })),
  ];
}
