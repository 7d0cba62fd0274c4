/** One rung of the ladder, ready to hold graphs. */
import { PlaygroundError } from '../../models/errors.ts';
import type { DeviceReport } from '../protocol.ts';
import { findGpu, readCores, threadsFor } from './device.ts';
import type { Backend } from './device.ts';
import { watch } from './loss.ts';
import { loadOrt } from './ort.ts';
import type { Queue } from './queue.ts';
import type { Platform } from './session.ts';

export interface OpenPlatform extends Platform {
  readonly report: DeviceReport;
  /** Gives the device back. The sessions on it must be released before. */
  close(): void;
}

/** @throws one sentence when this machine has nothing for `backend` */
export async function openPlatform(
  backend: Backend,
  allowSoftware: boolean,
  queue: Queue,
): Promise<OpenPlatform> {
  return backend === 'webgpu' ? onWebGpu(allowSoftware, queue) : onWasm(queue);
}

async function onWebGpu(allowSoftware: boolean, queue: Queue): Promise<OpenPlatform> {
  const found = await findGpu(navigator.gpu as GPU | undefined, allowSoftware);
  if (typeof found === 'string') throw new PlaygroundError('unsupported', found);
  const { device, adapter } = found;
  const ort = await loadOrt('webgpu', 1);
  const runtime = `onnxruntime-web ${ort.env.versions.web ?? ''} WebGPU`;
  return {
    ort,
    device,
    watch: watch(device),
    queue,
    runtime,
    report: { backend: 'webgpu', adapter, threads: 1, runtime, fallbacks: [] },
    close: () => device.destroy(),
  };
}

async function onWasm(queue: Queue): Promise<OpenPlatform> {
  const { threads, note } = threadsFor(readCores());
  const ort = await loadOrt('wasm', threads);
  const runtime = `onnxruntime-web ${ort.env.versions.web ?? ''} WASM`;
  return {
    ort,
    device: null,
    watch: watch(null),
    queue,
    runtime,
    report: {
      backend: 'wasm',
      adapter: 'WebAssembly with 128-bit SIMD',
      threads,
      runtime,
      fallbacks: note === null ? [] : [note],
    },
    close: () => undefined,
  };
}
