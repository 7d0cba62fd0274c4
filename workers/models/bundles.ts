/**
 * The visitor's bundles on disk: a folder each, whose manifest.json is written last and vouches for the rest. A
 * folder without one is a write that did not end; it is swept away as soon as nobody holds its lock.
 */
import { parseManifest } from '../../models/bundle/manifest.ts';
import type { Manifest } from '../../models/bundle/manifest.ts';
import type { Sink } from '../../models/bundle/build.ts';
import { missing, PlaygroundError, unsupported } from '../../models/errors.ts';
import { parseJson } from '../../models/files/json.ts';
import type { LocalBundle } from '../protocol.ts';

const MANIFEST = 'manifest.json';

/** Runs `work` while no other tab does the same under this name; null, without running it, when one does. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<{ readonly done: T } | null>;

export interface Bundles {
  /** All that are whole, and those that were whole once, with what is wrong. By title. */
  list(): Promise<LocalBundle[]>;
  /** @throws when there is no such bundle */
  manifest(id: string): Promise<Manifest>;
  /** @throws when there is no such file */
  file(id: string, name: string): Promise<File>;
  /**
   * A new bundle. `fill` writes its files, manifest.json last; when it throws, nothing of it stays.
   * @throws what `fill` throws, and one sentence when another tab writes the same bundle, or the disk is full
   */
  add(id: string, fill: (sink: Sink) => Promise<unknown>): Promise<LocalBundle>;
  /** Bytes freed. @throws when another tab writes it */
  remove(id: string): Promise<number>;
}

export function createBundles(root: () => Promise<FileSystemDirectoryHandle>, lock: Lock): Bundles {
  const alone = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const held = await lock(id, work);
    if (held !== null) return held.done;
    throw new PlaygroundError(
      'unsupported',
      `model '${id}' is being written by another tab; wait until it has finished, or close it`,
    );
  };

  const describe = async (folder: FileSystemDirectoryHandle): Promise<LocalBundle | null> => {
    const id = folder.name;
    const sizes = new Map<string, number>();
    for await (const handle of folder.values())
      if (handle.kind === 'file') sizes.set(handle.name, (await handle.getFile()).size);
    if (!sizes.has(MANIFEST)) return null;
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    try {
      const manifest = await readManifest(folder);
      const lost = Object.entries(manifest.files).find(([name, file]) => sizes.get(name) !== file.bytes);
      const failure =
        lost === undefined
          ? null
          : missing('file', lost[0], 'the browser has removed it; delete the model and bring it again')
              .message;
      return { id, manifest, bytes, failure };
    } catch (error) {
      return { id, manifest: null, bytes, failure: error instanceof Error ? error.message : String(error) };
    }
  };

  const folderOf = async (id: string): Promise<FileSystemDirectoryHandle> => {
    try {
      return await (await root()).getDirectoryHandle(id);
    } catch {
      throw missing('model', id, 'this browser does not hold it; bring it in under Models');
    }
  };

  return {
    async list() {
      const found: LocalBundle[] = [];
      const all = await root();
      const folders: FileSystemDirectoryHandle[] = [];
      for await (const handle of all.values()) if (handle.kind === 'directory') folders.push(handle);
      for (const folder of folders) {
        const bundle = await describe(folder).catch(() => null);
        if (bundle) found.push(bundle);
        // What nobody is writing any more was left by a tab that was closed. Looked at again under the lock.
        else
          await lock(folder.name, async () => {
            if ((await describe(folder)) === null) await all.removeEntry(folder.name, { recursive: true });
          }).catch(() => null);
      }
      const title = ({ manifest, id }: LocalBundle) => manifest?.title ?? id;
      return found.sort((a, b) => title(a).localeCompare(title(b)));
    },

    async manifest(id) {
      return readManifest(await folderOf(id));
    },

    async file(id, name) {
      const folder = await folderOf(id);
      try {
        return await (await folder.getFileHandle(name)).getFile();
      } catch {
        throw missing('file', `${name} of model '${id}'`, 'delete the model and bring it again');
      }
    },

    add: (id, fill) =>
      alone(id, async () => {
        const all = await root();
        const folder = await all.getDirectoryHandle(id, { create: true });
        try {
          await fill({ write: (name, bytes) => writeFile(folder, name, bytes) });
          const bundle = await describe(folder);
          if (bundle === null || bundle.failure !== null)
            throw missing('file', bundle?.failure ?? `${MANIFEST} of model '${id}'`, 'bring the model again');
          return bundle;
        } catch (error) {
          await all.removeEntry(id, { recursive: true }).catch(() => undefined);
          throw error;
        }
      }),

    remove: (id) =>
      alone(id, async () => {
        const folder = await folderOf(id);
        const bytes = (await describe(folder))?.bytes ?? 0;
        // The manifest first: what is left, should the tab close now, is swept away later.
        await folder.removeEntry(MANIFEST).catch(() => undefined);
        await (await root()).removeEntry(id, { recursive: true });
        return bytes;
      }),
  };
}

async function readManifest(folder: FileSystemDirectoryHandle): Promise<Manifest> {
  const file = await (await folder.getFileHandle(MANIFEST)).getFile();
  return parseManifest(parseJson(await file.text(), MANIFEST));
}

interface SyncFile {
  createSyncAccessHandle(): Promise<{
    truncate(size: number): void;
    write(bytes: Uint8Array, options: { at: number }): number;
    flush(): void;
    close(): void;
  }>;
}

/** @throws one sentence when the browser has no room left */
async function writeFile(folder: FileSystemDirectoryHandle, name: string, bytes: Uint8Array): Promise<void> {
  // Written in place: the only way that every browser has. Workers have it, the types of Node's tests do not.
  const handle = (await folder.getFileHandle(name, { create: true })) as unknown as SyncFile;
  const access = await handle.createSyncAccessHandle();
  try {
    access.truncate(0);
    const written = access.write(bytes, { at: 0 });
    if (written !== bytes.length) throw new DOMException('', 'QuotaExceededError');
    access.flush();
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'QuotaExceededError') throw error;
    throw unsupported(
      'size',
      `${String(bytes.length)} bytes of ${name}`,
      'this browser has no room left for it; delete a model, or free space on the disk',
    );
  } finally {
    access.close();
  }
}
