/** What the engine needs of a disk: in a worker, sync access handles of the origin's private file system. */
import { missing, PlaygroundError, unsupported } from '../../../models/errors.ts';
import { firstLine } from '../../inference/words.ts';
import { sizeInWords } from './size.ts';

/** A file that is not whole yet, open for one writer alone. Offsets and sizes are bytes. */
export interface PartialFile {
  size(): number;
  /** `length` bytes from `at`, fewer at the file's end. */
  read(at: number, length: number): Uint8Array;
  /** All of `bytes`, also behind the end. @throws QuotaExceededError where the disk is full. */
  write(at: number, bytes: Uint8Array): void;
  /** Makes the file so long: cuts it, or adds zeros. @throws QuotaExceededError */
  truncate(size: number): void;
  /** Returns when the bytes would outlast the tab. */
  flush(): void;
  close(): void;
}

export interface Disk {
  /** Opens the file, and makes it where there is none. @throws when somebody else has it open. */
  partial(name: string): Promise<PartialFile>;
  /** The JSON beside the file, as it was last written; null when there is none or it cannot be read. */
  readNote(name: string): Promise<unknown>;
  /** Writes it whole, in place of the last one; null is as good as none. @throws QuotaExceededError */
  writeNote(name: string, json: unknown): Promise<void>;
  /** Removes the file, which is closed, and its note; also where there is only one of them, or none. */
  remove(name: string): Promise<void>;
}

/** @throws one sentence when it cannot be opened: most likely another tab downloads it */
export async function openPartial(disk: Disk, name: string): Promise<PartialFile> {
  try {
    return await disk.partial(name);
  } catch (error) {
    if (error instanceof PlaygroundError) throw error;
    if (nameOf(error) === 'NoModificationAllowedError') {
      throw unsupported(
        'second download',
        name,
        'another tab downloads this file: wait for it, or cancel it there',
      );
    }
    throw fullOr(error, name, '', 'open the page in a normal window, over https or localhost');
  }
}

/** Whether the disk, or the browser's share for this page, is full. ENOSPC is Node's word. */
export function isFull(error: unknown): boolean {
  return nameOf(error) === 'QuotaExceededError' || (error as { code?: unknown } | null)?.code === 'ENOSPC';
}

/** What a failed write means. @param total bytes of the whole file; null when unknown @param here bytes kept */
export function writeFailed(error: unknown, name: string, total: number | null, here: number): Error {
  const size = total === null ? '' : ` needs ${sizeInWords(total)}`;
  const kept = here === 0 ? ', and nothing of it is kept' : `, ${sizeInWords(here)} of it are here and kept`;
  const again = here === 0 ? 'download it again' : 'start it again: it continues where it stopped';
  return fullOr(error, name, `${size}${kept}`, `check the disk and ${again}`, again);
}

function fullOr(error: unknown, name: string, facts: string, otherwise: string, again = 'try again'): Error {
  if (isFull(error)) {
    const remedy = `the browser gives this page no more room: delete models that you do not need or free space on the disk, then ${again}`;
    return missing('disk space', `${name}${facts}`, remedy);
  }
  return unsupported('storage', `${name} (${firstLine(error)})`, otherwise);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
