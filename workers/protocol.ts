/**
 * Every type that crosses a thread. Types only: no logic, no DOM and no worker types, so that the
 * page may import it without including any worker source.
 */
import type { Clip } from '../models/clip.ts';
import type { Fetched } from './models/fetch-model.ts';
import type { PublishedModel } from './models/download/published.ts';
import type { Architecture, Manifest } from '../models/bundle/manifest.ts';
import type { Answers, Question } from '../models/bundle/questions.ts';
import type { Health, Verdict } from '../models/metrics/agreement.ts';
import type { Storage } from '../models/onnx/storage.ts';
import type { RunResult, RunSpec } from '../models/run.ts';

/** What the visitor may ask for; `auto` is WebGPU on a real adapter, else WASM with all cores. */
export type BackendChoice = 'auto' | 'webgpu' | 'wasm';

export interface OpenRequest {
  /** Absolute address of the bundle's folder, with a slash at its end. */
  readonly url: string;
  readonly backend: BackendChoice;
  /** What earlier self-tests found wrong: a backend that one of these is about is left, with its sentence. */
  readonly distrusted?: readonly Distrust[];
}

/** A device whose numbers were wrong for a bundle. */
export interface Distrust {
  /** models/fingerprint.ts. */
  readonly bundle: string;
  readonly adapter: string;
  /** Another version may be right. */
  readonly runtime: string;
  readonly sentence: string;
}

/** Reported while a bundle opens. Bytes count the whole bundle, not one file. */
export interface LoadProgress {
  readonly stage: 'download' | 'verify' | 'compile' | 'warm-up';
  readonly file: string;
  readonly loadedBytes: number;
  readonly totalBytes: number;
  /** True while the bytes come from this browser's own store and not from the network. */
  readonly stored: boolean;
  /** Estimate from the rate so far; null until there is a rate. */
  readonly secondsLeft: number | null;
}

export interface DeviceReport {
  readonly backend: 'webgpu' | 'wasm';
  /** WebGPU adapter in words, or the instruction set of WASM. */
  readonly adapter: string;
  readonly threads: number;
  readonly runtime: string;
  /** One sentence for each rung of the ladder that was tried and left, first tried first. */
  readonly fallbacks: readonly string[];
}

/**
 * What this device was measured to need, for the estimate before a run. Seconds, medians of warm calls; 0 for
 * a graph that the bundle does not have.
 */
export interface DeviceSpeed {
  /** One frame through the network: a call of `cached` for it, or its share of a call of `window`. */
  readonly networkFrame: number;
  /** One frame through `decode`. */
  readonly decodeFrame: number;
  /** One frame through `encode`. */
  readonly encodeFrame: number;
}

export interface Opened {
  readonly manifest: Manifest;
  readonly device: DeviceReport;
  readonly speed: DeviceSpeed;
  /** True when no byte of the bundle's files came from the network (its manifest always does). */
  readonly stored: boolean;
  /** Sentences about what went wrong without ending anything: weights that could not be kept. */
  readonly notes: readonly string[];
}

export interface RunRequest {
  readonly id: string;
  readonly spec: RunSpec;
  readonly clip: Clip;
  /** Decode every frame's current belief after each row (costs a decode a row). */
  readonly preview: boolean;
}

export type RunEvent =
  /** The device was lost; the run begins again, from its first row, on the next rung of the ladder. */
  | { readonly kind: 'device'; readonly device: DeviceReport }
  | { readonly kind: 'encoded'; readonly reconstruction: Uint8Array /* [T, H, W, 3] */ }
  | {
      readonly kind: 'row';
      /** Row that has just been reached, 1-based; `rows` network calls make a window. */
      readonly row: number;
      readonly rows: number;
      readonly window: number;
      readonly windows: number;
      /** Level index of every frame of the window after this row, context first (null where flow has none). */
      readonly levels: readonly (number | null)[];
      readonly secondsLeft: number | null;
      /** Decoded clean estimate of every frame of the window, uint8 [F, H, W, 3]; null without preview. */
      readonly belief: Uint8Array | null;
    };

/** A graph run on its own, for self-tests: a model's bytes and its inputs in, its outputs out. */
export interface GraphRequest {
  readonly model: Uint8Array;
  readonly backend: 'webgpu' | 'wasm';
  /** Let a software adapter count as WebGPU (tests do; the ladder does not). */
  readonly allowSoftware: boolean;
  /** Let the runtime tell the console everything, the backend on which each node was placed included. */
  readonly verbose?: boolean;
  readonly inputs: Readonly<Record<string, PlainTensor>>;
}
export interface PlainTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** One graph's numbers on a fixed input. */
export interface GraphTest {
  /** Its file. */
  readonly graph: string;
  readonly backend: 'webgpu' | 'wasm';
  /** What it was held against: `WASM`, or the other graph that gives the same; null when nothing. */
  readonly against: string | null;
  /** Largest absolute value; null when that is not finite. */
  readonly largest: number | null;
  /** Largest difference, relative to the reference's largest value; null when there is none, or it is not finite. */
  readonly deviation: number | null;
  /** `error`: it ran on warm-up's input, but not on this one. */
  readonly health: Health | 'error';
  /** The same of what it was held against. */
  readonly reference: Health | null;
  /** Null for healthy numbers that were held against nothing. */
  readonly verdict: Verdict | null;
  /** A sentence when it was held against nothing, or fails. */
  readonly note: string | null;
  /** Of the calls on the backend in use. */
  readonly milliseconds: number;
}

export interface SelfTest {
  /** What was tested. */
  readonly device: DeviceReport;
  readonly graphs: readonly GraphTest[];
  /** The worst of the graphs' own; null when nothing could be compared and all is healthy. */
  readonly verdict: Verdict | null;
  /** When WebGPU was left because of it: the reason, and the model as it is open now. */
  readonly reopened: { readonly sentence: string; readonly opened: Opened } | null;
}

export interface SelfTestProgress {
  readonly graph: string;
  /** 0-based. */
  readonly index: number;
  readonly count: number;
}

/** The worker that holds the runtime and the weights. One request runs at a time; the rest wait in order. */
export interface InferenceWorker {
  open(request: OpenRequest, onProgress: (progress: LoadProgress) => void): Promise<Opened>;
  run(request: RunRequest, onEvent: (event: RunEvent) => void): Promise<RunResult>;
  /** Asks the run to stop; looked at between rows. The run then rejects with the name `aborted`. */
  cancel(runId: string): Promise<void>;
  runGraph(request: GraphRequest): Promise<{ outputs: Record<string, PlainTensor>; device: DeviceReport }>;
  /**
   * Each graph of the open model on a fixed input, against WASM. Leaves WebGPU when its numbers are wrong. Any other
   * request ends it after the call under way; it then rejects with the name `aborted`.
   */
  selfTest(onProgress: (progress: SelfTestProgress) => void): Promise<SelfTest>;
  /** Removes every stored weight of this site. Returns the bytes freed. */
  forget(): Promise<number>;
}

export interface EpisodeRequest {
  readonly map: string;
  readonly seed: number;
  /** Model frames, the first one included. */
  readonly frames: number;
  /** Side of the square frames in pixels. */
  readonly size: number;
}

/** The worker that holds MuJoCo. */
export interface MujocoWorker {
  /** A new exploring episode, simulated here and now, as a clip (with its states). */
  episode(request: EpisodeRequest): Promise<Clip>;
}

/** A bundle that the visitor keeps in this browser. */
export interface LocalBundle {
  readonly id: string;
  /** Null when it cannot be read. */
  readonly manifest: Manifest | null;
  /** Of all its files together. */
  readonly bytes: number;
  /** What is wrong with it, in one sentence; null for a bundle that is whole. */
  readonly failure: string | null;
}

/** What the browser says of its storage; null where it does not say. Bytes, of everything this site keeps. */
export interface StorageReport {
  readonly used: number | null;
  readonly quota: number | null;
  /** Whether the browser has promised not to remove it when room runs short. */
  readonly persisted: boolean | null;
}

/** A file as it was dropped or picked, with its path inside the folder that it came in. */
export interface GivenFile {
  readonly path: string;
  readonly blob: Blob;
}

export interface WriteProgress {
  /** What is being done, and to which file. */
  readonly stage: 'connect' | 'download' | 'verify' | 'read' | 'convert' | 'write';
  readonly file: string;
  readonly doneBytes: number;
  readonly totalBytes: number;
  readonly secondsLeft: number | null;
  /** What happened last that is worth a sentence: a wait, a new start. */
  readonly note?: string | null;
}

/** What given files turned out to be. */
export type Looked =
  /** A bundle, to be taken in as it is. */
  | { readonly kind: 'bundle' }
  /** A checkpoint, to be converted. */
  | {
      readonly kind: 'checkpoint';
      /** Suggested by the name of the file or of its folder. */
      readonly title: string;
      /** Null for an autoencoder alone. */
      readonly architecture: Architecture | null;
      readonly world: Manifest['world'];
      readonly autoencoder: boolean;
      /** Whether frames can be decoded, given a codec. */
      readonly pictures: boolean;
      /** Sentences: where weights and config disagree, what is left out. */
      readonly notes: readonly string[];
      /** What neither weights nor config tell, with what is used while nobody answers. */
      readonly questions: readonly Question[];
      readonly parameters: number;
    };

export interface ConvertRequest {
  readonly files: readonly GivenFile[];
  readonly answers: Answers;
  readonly storage: Storage;
  readonly title: string;
  readonly licence: string;
  /** Address of the folder of a bundle whose codec is taken over, with a slash at its end; null for none. */
  readonly codecOf: string | null;
}

/** The worker that keeps, takes in and gives out the visitor's own bundles. */
export interface ModelsWorker {
  list(): Promise<readonly LocalBundle[]>;
  storage(): Promise<StorageReport>;
  manifest(id: string): Promise<Manifest>;
  /** Takes in a bundle that was made elsewhere: its folder's files, or a zip of them. */
  takeIn(files: readonly GivenFile[], onProgress: (progress: WriteProgress) => void): Promise<LocalBundle>;
  /** Reads headers and configs only. */
  look(files: readonly GivenFile[], answers: Answers): Promise<Looked>;
  /** Models that others have published, and that an address names. */
  published(): Promise<readonly PublishedModel[]>;
  /**
   * Brings the files that addresses name: `owner/name` of a repository, or a file or bundle by https. What has come
   * stays when it is broken off, and the next time it goes on from there.
   */
  fetchModel(addresses: readonly string[], onProgress: (progress: WriteProgress) => void): Promise<Fetched>;
  /** Removes what fetchModel has brought; bytes freed. */
  clearDownloads(): Promise<number>;
  /** Makes a bundle of a checkpoint. */
  convert(request: ConvertRequest, onProgress: (progress: WriteProgress) => void): Promise<LocalBundle>;
  /** The bundle as a zip, its files as they are. */
  asZip(id: string): Promise<Blob>;
  /** Bytes freed. */
  remove(id: string): Promise<number>;
  /** Ends what is being taken in, after the file that is being written; it then rejects with the name `aborted`. */
  cancel(): Promise<void>;
}
