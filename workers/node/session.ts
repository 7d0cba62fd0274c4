/**
 * Runs graphs in Node: for the command line and the tests. onnxruntime-node when it is installed (an
 * optional dependency, several times faster), else onnxruntime-web's WASM, which is what browsers run.
 */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Ort from 'onnxruntime-web';
import { invalid, missing, unsupported } from '../../models/errors.ts';
import type { Shard } from '../../models/onnx/serialise.ts';
import { createQueue } from '../inference/queue.ts';
import type { Feeds, GraphSession } from '../session.ts';
import { fromOrt, toOrt } from '../tensors.ts';

export type NodeRuntime = 'auto' | 'node' | 'wasm';

export interface OpenOptions {
  readonly runtime?: NodeRuntime;
  /** Threads of the runtime; 1 when left out, so that a number can be repeated. WASM takes its count once per process. */
  readonly threads?: number;
  /** External weights, for WASM. */
  readonly shards?: readonly Shard[];
  /** Where the model lies, for onnxruntime-node: it reads external weights only from files beside it. */
  readonly path?: string;
}

/** The part of the two packages that we use; onnxruntime-node has no types that this compiles without. */
type Runtime = Pick<typeof Ort, 'InferenceSession' | 'Tensor' | 'env'>;

/**
 * Opens a graph.
 *
 * @throws one sentence when the wanted runtime is not installed or the file is no graph it can run.
 */
export async function openSession(model: Uint8Array, options: OpenOptions = {}): Promise<GraphSession> {
  const { runtime = 'auto', threads = 1, shards = [], path } = options;
  const native = runtime === 'wasm' ? null : await loadNative();
  if (runtime === 'node' && native === null) {
    throw missing('runtime', 'onnxruntime-node', 'install it with npm install onnxruntime-node, or use wasm');
  }
  const needsFiles = shards.length > 0 && path === undefined;
  if (native !== null && !needsFiles) {
    const settings: Ort.InferenceSession.SessionOptions = {
      intraOpNumThreads: threads,
      logSeverityLevel: FATAL,
    };
    const session = await created(() =>
      path === undefined
        ? native.InferenceSession.create(model, settings)
        : native.InferenceSession.create(path, settings),
    );
    return wrap(native, session, `onnxruntime-node ${native.env.versions.common}, ${inThreads(threads)}`);
  }
  if (runtime === 'node') {
    throw unsupported('model', 'weights in memory', 'onnxruntime-node reads them from files: give the path');
  }
  const web = await loadWeb(threads);
  const session = await created(() =>
    web.InferenceSession.create(model, {
      executionProviders: ['wasm'],
      externalData: shards.map(({ path: shard, data }) => ({ path: shard, data })),
      logSeverityLevel: FATAL,
    }),
  );
  return wrap(
    web,
    session,
    `onnxruntime-web ${web.env.versions.web ?? ''} WASM, ${inThreads(web.env.wasm.numThreads ?? threads)}`,
  );
}

/** The runtimes' own lines on standard error say twice, and in their words, what our sentence says. */
const FATAL = 4;

/** onnxruntime-node, or null where it is not installed or its binary does not load. */
async function loadNative(): Promise<Runtime | null> {
  try {
    const name = 'onnxruntime-node';
    const loaded = (await import(/* @vite-ignore */ name)) as Runtime & { default?: Runtime };
    return loaded.default ?? loaded;
  } catch {
    return null;
  }
}

async function loadWeb(threads: number): Promise<Runtime> {
  const web = await import('onnxruntime-web');
  // As a file address: the default, relative to a page, makes the worker threads fail to load in Node.
  const wasm = createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm');
  web.env.wasm.wasmPaths = `${pathToFileURL(dirname(wasm)).href}/`;
  web.env.wasm.numThreads ??= threads;
  return web;
}

/** The runtime's own errors (some are bare numbers) as one sentence. */
async function created<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw invalid('ONNX graph', sentence(error), 'the runtime cannot open it; build the bundle again');
  }
}

/** What the runtime says went wrong, without its own preamble and advice, on one line. */
function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : `runtime error ${String(error)}`;
  return text
    .replace(/^.*ERROR_MESSAGE: /s, '')
    .replace(/\s+/g, ' ')
    .replace(/^Non-zero status code .* running (\w+) node\..*? Status Message: /, '$1: ')
    .replace(/\/\S+:\d+ /g, '')
    .replace(/ (?:for the following indices|Please fix .*$)/g, '')
    .replaceAll(';', ',');
}

/** Over all sessions of this process: the WASM build hangs when two runs overlap. */
const queue = createQueue();

function wrap(ort: Runtime, session: Ort.InferenceSession, runtime: string): GraphSession {
  const inputs = [...session.inputNames];
  return {
    inputs,
    outputs: [...session.outputNames],
    runtime,
    run: (feeds, outputs = session.outputNames) => queue(() => runOnce(ort, session, inputs, feeds, outputs)),
    release: () => queue(() => session.release()),
  };
}

async function runOnce(
  ort: Runtime,
  session: Ort.InferenceSession,
  inputs: readonly string[],
  feeds: Feeds,
  outputs: readonly string[],
): ReturnType<GraphSession['run']> {
  const absent = inputs.find((name) => !(name in feeds));
  if (absent !== undefined) {
    throw missing('input', absent, `the graph takes ${inputs.join(', ')}`);
  }
  const empty = inputs.find((name) => feeds[name]!.data.length === 0);
  if (empty !== undefined) {
    throw invalid(
      'input',
      `'${empty}' of shape [${feeds[empty]!.shape.join(', ')}]`,
      'it holds no numbers; give some',
    );
  }
  const values = inputs.map((name) => [name, toOrt(ort, feeds[name]!)] as const);
  let results: Ort.InferenceSession.ReturnType;
  try {
    results = await session.run(Object.fromEntries(values), [...outputs], { logSeverityLevel: FATAL });
  } catch (error) {
    throw invalid(
      'input',
      sentence(error),
      'give the shapes that inspect prints for this graph, and values in its range',
    );
  }
  return Object.fromEntries(Object.entries(results).map(([name, value]) => [name, fromOrt(value)]));
}

function inThreads(count: number): string {
  return count === 1 ? '1 thread' : `${count} threads`;
}
