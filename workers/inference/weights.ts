/** All files of a bundle: from this browser's store where it has them, else from the network; checked either way. */
import { invalid } from '../../models/errors.ts';
import type { LoadProgress } from '../protocol.ts';
import { download, nameOf } from './download.ts';
import type { Fetch } from './download.ts';
import { createMeter } from './meter.ts';
import { sha256 } from './sha256.ts';
import type { Store, StoredFile } from './store.ts';

export interface Weights {
  /** Bytes by address. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** True when every byte came from the store. */
  readonly stored: boolean;
  /** Sentences about what went wrong without ending anything: a full disk, a store that is not there. */
  readonly notes: readonly string[];
}

export interface Sources {
  readonly fetch: Fetch;
  readonly store: Store;
  /** Milliseconds, any origin. */
  readonly now: () => number;
}

/**
 * @param onProgress bytes over the whole bundle, at most some twenty times a second
 * @throws one sentence about the first file that is missing or wrong
 */
export async function loadWeights(
  files: readonly StoredFile[],
  sources: Sources,
  onProgress: (progress: LoadProgress) => void,
): Promise<Weights> {
  const meter = createMeter(files, sources.now, onProgress);
  const loaded = new Map<string, Uint8Array>();
  const notes = new Set<string>();
  let stored = true;
  for (const file of files) {
    let bytes = await sources.store.take(file);
    if (bytes) {
      meter.fromStore(file);
    } else {
      stored = false;
      bytes = await download(sources.fetch, file.url, file.bytes, (count) => meter.fromNetwork(file, count));
      meter.verifying(file);
      await check(file, bytes);
      // Awaited: a page that is closed at once must find the file next time.
      const note = await sources.store.keep(file, bytes);
      if (note !== null) notes.add(note);
    }
    loaded.set(file.url, bytes);
  }
  return { files: loaded, stored, notes: [...notes] };
}

async function check(file: StoredFile, bytes: Uint8Array): Promise<void> {
  const found = await sha256(bytes);
  if (found === file.sha256) return;
  throw invalid(
    'weights',
    nameOf(file.url),
    `its SHA-256 is ${found.slice(0, 12)}..., its manifest says ${file.sha256.slice(0, 12)}...; the file was altered or cut short, so publish both together`,
  );
}
