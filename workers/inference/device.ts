/** What this device can run on: the ladder's rungs before anything is loaded, and the WebGPU device itself. */
import type { BackendChoice } from '../protocol.ts';

export type Backend = 'webgpu' | 'wasm';

/** A device made by us, as onnxruntime wants it (facts/onnxruntime-web.md: its own settings are ignored). */
export interface Gpu {
  readonly device: GPUDevice;
  /** The adapter in words, for people. */
  readonly adapter: string;
}

/** Facts about the machine that decide how many threads WASM gets. */
export interface Cores {
  readonly cores: number;
  /** Threads need shared memory, and that needs the two isolation headers. */
  readonly isolated: boolean;
  /** Threaded WASM hangs on some phones (onnxruntime 11679). */
  readonly phone: boolean;
}

/** More threads than this wait for each other in graphs of our size; a choice, not a measurement. */
const MOST_THREADS = 16;

/** Threads for WASM, with a sentence where it is fewer than there are cores. */
export function threadsFor({ cores, isolated, phone }: Cores): { threads: number; note: string | null } {
  const all = Math.max(1, Math.floor(cores));
  if (all === 1) return { threads: 1, note: null };
  if (!isolated) {
    return {
      threads: 1,
      note: 'WASM runs on one thread, because this page was served without the headers COOP and COEP.',
    };
  }
  if (phone) return { threads: 1, note: 'WASM runs on one thread, because threads hang on some phones.' };
  return { threads: Math.min(all, MOST_THREADS), note: null };
}

/** Reads the facts from this worker. */
export function readCores(): Cores {
  const hint = (navigator as Navigator & { userAgentData?: { mobile?: boolean } }).userAgentData?.mobile;
  return {
    cores: navigator.hardwareConcurrency || 1,
    isolated: globalThis.crossOriginIsolated === true,
    phone: hint ?? /iPhone|iPad|Android/i.test(navigator.userAgent),
  };
}

/** The rungs to try, best first. */
export function rungsFor(choice: BackendChoice): readonly Backend[] {
  return choice === 'wasm' ? ['wasm'] : ['webgpu', 'wasm'];
}

/** Features that graphs may use where they are offered. */
const FEATURES = ['shader-f16', 'subgroups', 'timestamp-query'] as const;

/**
 * A WebGPU device with all that its adapter offers, or one sentence that says why there is none.
 *
 * @param gpu `navigator.gpu`, undefined where the browser has no WebGPU
 * @param allowSoftware count a software adapter (it is slower than WASM) as one
 */
export async function findGpu(gpu: GPU | undefined, allowSoftware: boolean): Promise<Gpu | string> {
  if (!gpu) return 'WebGPU is not offered by this browser.';
  let adapter: GPUAdapter | null;
  try {
    adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  } catch (error) {
    return `WebGPU gave no adapter (${messageOf(error)}).`;
  }
  if (!adapter) return 'WebGPU found no graphics adapter; check that hardware acceleration is on.';
  const words = inWords(adapter.info);
  if (isSoftware(adapter) && !allowSoftware) {
    return `WebGPU offers only a software adapter (${words}), which is slower than WASM.`;
  }
  try {
    const device = await adapter.requestDevice({
      requiredFeatures: FEATURES.filter((feature) => adapter.features.has(feature)),
      requiredLimits: limitsOf(adapter),
    });
    return { device, adapter: words };
  } catch (error) {
    return `WebGPU gave no device on ${words} (${messageOf(error)}).`;
  }
}

/** All limits of the adapter: graphs of ours need more storage buffers than the guaranteed eight. */
function limitsOf(adapter: GPUAdapter): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const name in adapter.limits) {
    const value = adapter.limits[name as keyof GPUSupportedLimits];
    if (typeof value === 'number') limits[name] = value;
  }
  return limits;
}

function isSoftware(adapter: GPUAdapter): boolean {
  const older = (adapter as GPUAdapter & { isFallbackAdapter?: boolean }).isFallbackAdapter;
  return (adapter.info.isFallbackAdapter as boolean | undefined) ?? older ?? false;
}

function inWords(info: GPUAdapterInfo): string {
  const words = [info.vendor, info.architecture, info.device, info.description].filter((word) => word !== '');
  return words.join(' ') || 'an adapter without a name';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
