/** Keeps what a bundle's builder writes, in order. */
import type { Sink } from '../bundle/build.ts';

export interface MemorySink extends Sink {
  readonly files: Map<string, Uint8Array>;
}

export function memorySink(): MemorySink {
  const files = new Map<string, Uint8Array>();
  return {
    files,
    write: (name, bytes) => {
      files.set(name, bytes);
      return Promise.resolve();
    },
  };
}
