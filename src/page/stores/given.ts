/** Files as the browser gives them, by a dialog or by dropping, with their paths. */
import type { GivenFile } from '../../../workers/protocol.ts';

/** More files than this are no model but somebody's whole disk. */
const MOST = 2000;

export function picked(files: Iterable<File> | ArrayLike<File>): GivenFile[] {
  return Array.from(files).map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));
}

/** Everything that was dropped, folders with all that is in them. To be called while the event is handled. */
export async function dropped(transfer: DataTransfer): Promise<GivenFile[]> {
  // The list is empty once the event is over: entries are taken before anything is awaited.
  const entries = Array.from(transfer.items, (item) =>
    item.kind === 'file' ? item.webkitGetAsEntry() : null,
  ).filter((entry) => entry !== null);
  const found: GivenFile[] = [];
  for (const entry of entries) await walk(entry, found);
  return found;
}

async function walk(entry: FileSystemEntry, found: GivenFile[]): Promise<void> {
  if (found.length >= MOST) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ path: entry.fullPath.replace(/^\//, ''), blob: file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // Browsers give a folder in portions.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const child of some) await walk(child, found);
  }
}
