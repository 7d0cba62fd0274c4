/** The origin's private file system as far as bundles use it, in memory. */

interface MemoryFile {
  bytes: Uint8Array;
}

export interface MemoryFolders {
  readonly root: FileSystemDirectoryHandle;
  /** Bytes that may still be written before the disk is full. */
  room: number;
  /** Paths of all files, sorted. */
  paths(): string[];
}

export function memoryFolders(): MemoryFolders {
  const state = { room: Infinity };
  const tree = new Map<string, MemoryFile | Map<string, unknown>>();
  const absent = () => new DOMException('not there', 'NotFoundError');

  const fileHandle = (name: string, file: MemoryFile) => ({
    kind: 'file',
    name,
    getFile: () => Promise.resolve(new File([file.bytes as Uint8Array<ArrayBuffer>], name)),
    createSyncAccessHandle: () =>
      Promise.resolve({
        truncate: (size: number) => (file.bytes = file.bytes.slice(0, size)),
        write: (bytes: Uint8Array, { at }: { at: number }) => {
          const fits = Math.min(bytes.length, state.room);
          state.room -= fits;
          const grown = new Uint8Array(Math.max(file.bytes.length, at + fits));
          grown.set(file.bytes);
          grown.set(bytes.subarray(0, fits), at);
          file.bytes = grown;
          return fits;
        },
        flush: () => undefined,
        close: () => undefined,
      }),
  });

  const folderHandle = (name: string, entries: Map<string, unknown>): FileSystemDirectoryHandle =>
    ({
      kind: 'directory',
      name,
      getDirectoryHandle: (child: string, { create = false } = {}) => {
        if (!entries.has(child) && create) entries.set(child, new Map());
        const found = entries.get(child);
        return found instanceof Map
          ? Promise.resolve(folderHandle(child, found as Map<string, unknown>))
          : Promise.reject(absent());
      },
      getFileHandle: (child: string, { create = false } = {}) => {
        if (!entries.has(child) && create) entries.set(child, { bytes: new Uint8Array(0) });
        const found = entries.get(child);
        return found === undefined || found instanceof Map
          ? Promise.reject(absent())
          : Promise.resolve(fileHandle(child, found as MemoryFile));
      },
      removeEntry: (child: string) => (entries.delete(child) ? Promise.resolve() : Promise.reject(absent())),
      async *values() {
        for (const [child, found] of entries)
          yield await Promise.resolve(
            found instanceof Map
              ? folderHandle(child, found as Map<string, unknown>)
              : fileHandle(child, found as MemoryFile),
          );
      },
    }) as unknown as FileSystemDirectoryHandle;

  const walk = (entries: Map<string, unknown>, at: string): string[] =>
    [...entries].flatMap(([name, found]) =>
      found instanceof Map ? walk(found as Map<string, unknown>, `${at}${name}/`) : [at + name],
    );
  return {
    root: folderHandle('', tree),
    get room() {
      return state.room;
    },
    set room(bytes) {
      state.room = bytes;
    },
    paths: () => walk(tree, '').sort(),
  };
}
