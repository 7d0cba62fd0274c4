/**
 * Weights that this browser keeps, in Cache Storage. The key is the address and the SHA-256, and what comes
 * out is hashed before anybody uses it, so that neither an old version nor an error page can stay for ever.
 */
import { sha256 } from './sha256.ts';
import { firstLine } from './words.ts';

export interface StoredFile {
  readonly url: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** The part of the browser's Cache that we use. */
export type Shelf = Pick<Cache, 'match' | 'put' | 'delete' | 'keys'>;

export interface Store {
  /** The file's bytes, checked; null when it is not there or was wrong (then it is removed). */
  take(file: StoredFile): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Keeps the file and drops older versions of it. Null, or a sentence that says why it could not. */
  keep(file: StoredFile, bytes: Uint8Array<ArrayBuffer>): Promise<string | null>;
  /** Removes everything; bytes freed. */
  forget(): Promise<number>;
}

/** @param openShelf opens the Cache; may reject (private windows, plain http): then nothing is kept. */
export function createStore(openShelf: () => Promise<Shelf>): Store {
  return {
    async take(file) {
      try {
        const shelf = await openShelf();
        const response = await shelf.match(keyOf(file));
        if (!response) return null;
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (bytes.length === file.bytes && (await sha256(bytes)) === file.sha256) return bytes;
        await shelf.delete(keyOf(file));
        return null;
      } catch {
        // A store that cannot be read is as good as none: the network still has the file.
        return null;
      }
    },

    async keep(file, bytes) {
      try {
        const shelf = await openShelf();
        for (const { url } of await shelf.keys()) {
          if (addressOf(url) === addressOf(file.url) && url !== keyOf(file)) await shelf.delete(url);
        }
        const headers = {
          'content-type': 'application/octet-stream',
          'content-length': String(bytes.length),
        };
        await shelf.put(keyOf(file), new Response(bytes, { headers }));
        return null;
      } catch (error) {
        return `The weights could not be kept in this browser (${firstLine(error)}); the model works, and is fetched again next time.`;
      }
    },

    async forget() {
      let freed = 0;
      let shelf: Shelf;
      try {
        shelf = await openShelf();
      } catch {
        return 0;
      }
      for (const { url } of await shelf.keys()) {
        const size = (await shelf.match(url))?.headers.get('content-length');
        if (await shelf.delete(url)) freed += Number(size ?? 0);
      }
      return freed;
    },
  };
}

/** A Cache drops what stands behind a `#`, so the hash goes into the query. */
function keyOf(file: StoredFile): string {
  const key = new URL(file.url);
  key.searchParams.append(HASH, file.sha256);
  return key.href;
}

function addressOf(key: string): string {
  const url = new URL(key);
  url.searchParams.delete(HASH);
  return url.href;
}

const HASH = 'sha256';
