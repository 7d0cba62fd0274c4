/** A graph in the browser: on a WebGPU device of ours or on WASM. */
import type * as OrtModule from 'onnxruntime-web';
import { invalid, missing } from '../../models/errors.ts';
import type { Feeds, GraphSession } from '../session.ts';
import { fromOrt, toOrt } from '../tensors.ts';
import type { Watch } from './loss.ts';
import type { Ort } from './ort.ts';
import type { Queue } from './queue.ts';
import { isRuntimeFault, runtimeFault } from './runtime-files.ts';
import type { RuntimeFiles } from './runtime-files.ts';
import { firstLine, inWords } from './words.ts';

/** What all sessions of one opened model share. */
export interface Platform {
  readonly ort: Ort;
  /** Null on WASM. */
  readonly device: GPUDevice | null;
  readonly watch: Watch;
  /** Version and backend in words, for the provenance of a number. */
  readonly runtime: string;
  /** The worker's one queue for calls into the runtime. */
  readonly queue: Queue;
}

/** A graph's bytes and the weight files that it names beside itself. */
export interface GraphFile {
  readonly name: string;
  readonly model: Uint8Array;
  readonly shards: readonly { readonly path: string; readonly data: Uint8Array }[];
}

/** @throws one sentence when this backend cannot hold the graph */
export async function openSession(
  platform: Platform,
  file: GraphFile,
  verbose = false,
): Promise<GraphSession> {
  const { ort, queue, watch } = platform;
  const what = `graph ${file.name} on ${platform.device ? 'WebGPU' : 'WASM'}`;
  const session = await queue(async () => {
    try {
      return await watch.guard(() =>
        ort.InferenceSession.create(file.model, optionsFor(platform, file, verbose)),
      );
    } catch (error) {
      const reason = firstLine(error);
      if (isRuntimeFault(reason)) {
        // The runtime comes up with the first graph: what is wrong with its own files is no graph's fault.
        const files = ort.env.wasm.wasmPaths as RuntimeFiles;
        throw await runtimeFault(files, reason, (url, init) => fetch(url, init));
      }
      throw inWords(
        error,
        what,
        'the runtime cannot open it; try the other backend, or build the bundle again',
      );
    }
  });
  const inputs = [...session.inputNames];
  return {
    inputs,
    outputs: [...session.outputNames],
    runtime: platform.runtime,
    run: (feeds, outputs = session.outputNames) =>
      queue(async () => {
        const tensors = tensorsOf(ort, inputs, feeds, file.name);
        try {
          const results = await watch.guard(() => session.run(tensors, [...outputs]));
          return Object.fromEntries(Object.entries(results).map(([name, value]) => [name, fromOrt(value)]));
        } catch (error) {
          if (/invalid dimensions|invalid rank/i.test(firstLine(error))) {
            throw invalid('input', firstLine(error), `give the shapes that ${file.name} takes`);
          }
          throw inWords(error, what, 'try the other backend');
        }
      }),
    release: () => queue(() => watch.guard(() => session.release())),
  };
}

function optionsFor(
  platform: Platform,
  file: GraphFile,
  verbose: boolean,
): OrtModule.InferenceSession.SessionOptions {
  return {
    executionProviders: platform.device ? [{ name: 'webgpu', device: platform.device }] : ['wasm'],
    externalData: file.shards,
    logSeverityLevel: verbose ? 0 : 3,
    // Shapes never change between runs, so memory is planned once (the runtime turns the pattern off for WebGPU).
    enableCpuMemArena: true,
    enableMemPattern: true,
  };
}

function tensorsOf(
  ort: Ort,
  inputs: readonly string[],
  feeds: Feeds,
  name: string,
): Record<string, OrtModule.Tensor> {
  const absent = inputs.find((input) => !(input in feeds));
  if (absent !== undefined) throw missing('input', absent, `${name} takes ${inputs.join(', ')}`);
  return Object.fromEntries(inputs.map((input) => [input, toOrt(ort, feeds[input]!)]));
}
