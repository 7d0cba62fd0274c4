/** onnxruntime's WASM in Node as a rung of the ladder, with a device that a test can take away. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as ort from 'onnxruntime-web';
import type { Backend } from '../inference/device.ts';
import { watch } from '../inference/loss.ts';
import type { OpenPlatform } from '../inference/platform.ts';
import type { Queue } from '../inference/queue.ts';

const binary = createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm');
ort.env.wasm.wasmPaths = `${pathToFileURL(dirname(binary)).href}/`;
ort.env.wasm.numThreads = 1;

export interface Rig {
  open(backend: Backend): Promise<OpenPlatform>;
  /** Loses the device of the platform that was opened last. */
  lose(reason: string): void;
  /** Backends that were opened, and closed, in order. */
  readonly opened: Backend[];
  closed: number;
}

export function createRig(queue: Queue): Rig {
  let lose: (info: GPUDeviceLostInfo) => void = () => undefined;
  const rig: Rig = {
    opened: [],
    closed: 0,
    lose: (message) => lose({ message, reason: 'unknown' } as GPUDeviceLostInfo),
    open(backend) {
      rig.opened.push(backend);
      const lost = new Promise<GPUDeviceLostInfo>((resolve) => (lose = resolve));
      const runtime = `onnxruntime-web ${ort.env.versions.web ?? ''} ${backend}`;
      return Promise.resolve({
        ort,
        device: null,
        watch: watch(backend === 'webgpu' ? { lost } : null),
        queue,
        runtime,
        report: { backend, adapter: 'Node', threads: 1, runtime, fallbacks: [] },
        close: () => void rig.closed++,
      });
    },
  };
  return rig;
}
