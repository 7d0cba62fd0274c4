/** What is wrong with the runtime's own files where they are served, once it did not come up. */
import { invalid, missing, unsupported } from '../../models/errors.ts';
import type { Fetch } from './download.ts';

/** Addresses of the runtime's glue and of its binary. */
export interface RuntimeFiles {
  readonly mjs: string;
  readonly wasm: string;
}

const REMEDY = 'check the connection, or that the folder at the host is complete, and try again';
/** How every WebAssembly binary begins. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d];

/** What the runtime says when no build of it could be initialised, whatever the graph. */
export function isRuntimeFault(reason: string): boolean {
  return /no available backend found|initWasm\(\)/i.test(reason);
}

/**
 * The sentence about the file that did not come, or that is something else; about the runtime when both are there.
 *
 * @param reason what the runtime said, one line
 */
export async function runtimeFault(
  { mjs, wasm }: RuntimeFiles,
  reason: string,
  fetch: Fetch,
): Promise<Error> {
  for (const url of [mjs, wasm]) {
    const start = await startOf(url, fetch);
    if (typeof start === 'string') return missing('runtime file', start, REMEDY);
    const binary = MAGIC.every((byte, i) => start[i] === byte);
    // Glue is a program: it begins like neither a page nor a binary.
    if (url === mjs ? start[0] === '<'.charCodeAt(0) : !binary) {
      const remedy = 'the host sent something else in its place; check that the folder is complete';
      return invalid('runtime file', url, remedy);
    }
  }
  // Cut short, or altered further on.
  if (/CompileError|WebAssembly\.\w+\(\)/.test(reason))
    return invalid('runtime file', wasm, 'it is damaged; put the folder on the host again');
  return unsupported('runtime onnxruntime-web', reason, 'load the page again, or try the other backend');
}

/** The file's first bytes, white space left out; or its address with what the host answered. */
async function startOf(url: string, fetch: Fetch): Promise<Uint8Array | string> {
  try {
    const response = await fetch(url, { cache: 'no-store' });
    if (!response.ok) return `${url} (HTTP ${String(response.status)})`;
    const reader = response.body!.getReader();
    const { value = new Uint8Array() } = await reader.read();
    void reader.cancel();
    const first = value.findIndex((byte) => ![9, 10, 13, 32].includes(byte));
    return value.slice(Math.max(0, first), Math.max(0, first) + MAGIC.length);
  } catch {
    return url;
  }
}
