/** Downloads that are under way, in the origin's private file system: each file with a note of what has come. */
import type { Disk, PartialFile } from './download/disk.ts';

const NOTE = '.note.json';

/** @param root the folder of downloads, of which nobody else writes */
export function createDownloadDisk(root: () => Promise<FileSystemDirectoryHandle>): Disk {
  const remove = async (folder: FileSystemDirectoryHandle, name: string): Promise<void> => {
    try {
      await folder.removeEntry(name);
    } catch (error) {
      if ((error as Error).name !== 'NotFoundError') throw error;
    }
  };
  return {
    async partial(name) {
      return partialFile(await handleOf(await root(), name));
    },
    async readNote(name) {
      try {
        const file = await (await (await root()).getFileHandle(name + NOTE)).getFile();
        return JSON.parse(await file.text()) as unknown;
      } catch {
        return null;
      }
    },
    async writeNote(name, json) {
      const file = partialFile(await handleOf(await root(), name + NOTE));
      try {
        const bytes = new TextEncoder().encode(JSON.stringify(json));
        file.truncate(bytes.length);
        file.write(0, bytes);
        file.flush();
      } finally {
        file.close();
      }
    },
    async remove(name) {
      const folder = await root();
      await remove(folder, name);
      await remove(folder, name + NOTE);
    },
  };
}

/** A file that has come whole. @throws when it is not there */
export async function downloaded(root: FileSystemDirectoryHandle, name: string): Promise<File> {
  return (await root.getFileHandle(name)).getFile();
}

/** Removes everything but what another tab holds open. Bytes freed. */
export async function clearDownloads(root: FileSystemDirectoryHandle): Promise<number> {
  let freed = 0;
  const files: FileSystemFileHandle[] = [];
  for await (const handle of root.values()) if (handle.kind === 'file') files.push(handle);
  for (const handle of files) {
    const { size } = await handle.getFile();
    const gone = await root.removeEntry(handle.name).then(
      () => true,
      () => false,
    );
    if (gone) freed += size;
  }
  return freed;
}

/** The part of a sync access handle that we use. */
interface Access {
  getSize(): number;
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

async function handleOf(folder: FileSystemDirectoryHandle, name: string): Promise<Access> {
  const handle = await folder.getFileHandle(name, { create: true });
  return (handle as unknown as { createSyncAccessHandle(): Promise<Access> }).createSyncAccessHandle();
}

function partialFile(access: Access): PartialFile {
  return {
    size: () => access.getSize(),
    read(at, length) {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, access.read(bytes, { at }));
    },
    write(at, bytes) {
      // Some browsers write what fits and say how much that was.
      if (access.write(bytes, { at }) < bytes.length) throw new DOMException('', 'QuotaExceededError');
    },
    truncate: (size) => access.truncate(size),
    flush: () => access.flush(),
    close: () => access.close(),
  };
}
