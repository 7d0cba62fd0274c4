/**
 * Brings in onnxruntime-web, only the build that is used: both are tens of megabytes. Each build initialises
 * once in a worker, for good, so its threads are settled by whoever asks first.
 */
import type * as OrtModule from 'onnxruntime-web';
import webgpuGlue from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import webgpuBinary from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import wasmGlue from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasmBinary from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { missing } from '../../models/errors.ts';
import type { Backend } from './device.ts';
import { firstLine } from './words.ts';

export type Ort = typeof OrtModule;

/** A build that has not come up after this many milliseconds never will (threads on some phones, #11679). */
const INIT_TIMEOUT = 60_000;

/**
 * The runtime for a backend. Its own files are ours: served beside the page, never from elsewhere.
 *
 * @param threads for WASM; the WebGPU build has one, which only feeds the device
 */
export async function loadOrt(backend: Backend, threads: number): Promise<Ort> {
  let ort: Ort;
  try {
    ort =
      backend === 'webgpu' ? await import('onnxruntime-web/webgpu') : await import('onnxruntime-web/wasm');
  } catch (error) {
    const remedy = 'check the connection, or that the folder at the host is complete, and try again';
    throw missing('runtime', firstLine(error), remedy);
  }
  const [mjs, wasm] = backend === 'webgpu' ? [webgpuGlue, webgpuBinary] : [wasmGlue, wasmBinary];
  ort.env.wasm.wasmPaths = { mjs: absolute(mjs), wasm: absolute(wasm) };
  ort.env.wasm.numThreads = backend === 'webgpu' ? 1 : threads;
  ort.env.wasm.initTimeout = INIT_TIMEOUT;
  return ort;
}

/** The runtime resolves a relative path against its own file, not against ours. */
function absolute(path: string): string {
  return new URL(path, import.meta.url).href;
}
