/** Where this browser keeps the visitor's own bundles: the origin's private file system. */
import { localFile } from '../../models/bundle/local.ts';
import { missing } from '../../models/errors.ts';
import type { Fetch } from '../inference/download.ts';
import { sha256 } from '../inference/sha256.ts';
import type { Store } from '../inference/store.ts';

/** All pages of an origin share its file system: the name keeps us apart from our neighbours. */
const HOME = 'nanowm-playground';

/** @throws one sentence where the browser has no such file system (private windows, plain http) */
export function bundlesFolder(): Promise<FileSystemDirectoryHandle> {
  return folderOf('bundles');
}

/** Downloads that are under way. @throws as bundlesFolder */
export function downloadsFolder(): Promise<FileSystemDirectoryHandle> {
  return folderOf('downloads');
}

async function folderOf(purpose: string): Promise<FileSystemDirectoryHandle> {
  try {
    let folder = await navigator.storage.getDirectory();
    for (const name of [HOME, purpose]) folder = await folder.getDirectoryHandle(name, { create: true });
    return folder;
  } catch {
    throw missing(
      'storage',
      'this browser lets the page keep no files here',
      'open it in a normal window, over https or localhost',
    );
  }
}

/** One file of a local bundle; null when it is not there. @param address as models/bundle/local.ts makes it */
export async function readLocal(address: string): Promise<File | null> {
  const place = localFile(address);
  if (place === null) return null;
  try {
    const bundle = await (await bundlesFolder()).getDirectoryHandle(place.id);
    return await (await bundle.getFileHandle(place.file)).getFile();
  } catch {
    return null;
  }
}

/** `fetch` that also opens the addresses of local files. */
export function fetchLocalToo(fetch: Fetch): Fetch {
  return async (url, init) => {
    if (localFile(url) === null) return fetch(url, init);
    const file = await readLocal(url);
    return file ? new Response(file) : new Response(null, { status: 404 });
  };
}

/** `store` for files of the network; local ones are on the disk already, and are checked where they lie. */
export function besideLocal(store: Store): Store {
  return {
    async take(wanted) {
      if (localFile(wanted.url) === null) return store.take(wanted);
      const file = await readLocal(wanted.url);
      if (file?.size !== wanted.bytes) return null;
      const bytes = new Uint8Array(await file.arrayBuffer());
      return (await sha256(bytes)) === wanted.sha256 ? bytes : null;
    },
    keep: (file, bytes) => (localFile(file.url) === null ? store.keep(file, bytes) : Promise.resolve(null)),
    forget: () => store.forget(),
  };
}
