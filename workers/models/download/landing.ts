/** Where the bytes of a download land: the file, and the note that says which of them are there. */
import { openPartial, writeFailed } from './disk.ts';
import type { Disk, PartialFile } from './disk.ts';
import { readNote } from './note.ts';
import type { DownloadNote, FileVersion } from './note.ts';
import { bytesOf, prefixOf, withRange } from './ranges.ts';
import type { Range } from './ranges.ts';
import { notWeights, SNIFFED } from './sniff.ts';

/** Milliseconds between two notes: what a closed tab may lose of the download. */
const NOTE_EVERY = 2000;

export interface Landing {
  /** Bytes of the whole file; null while nobody knows. */
  readonly total: number | null;
  readonly served: FileVersion;
  /** Which bytes are here, and how many. */
  readonly done: readonly Range[];
  readonly bytes: number;
  /** All are here and were checked by an earlier visit. */
  readonly complete: boolean;
  /**
   * The first answer of a download: takes the room on the disk at once. @throws one sentence when there is none.
   * @param continues whether what comes is kept for a later visit
   */
  begin(total: number | null, served: FileVersion, continues: boolean): void;
  /** Bytes for `at`. @throws one sentence when they are no model's, or the disk is full */
  write(at: number, bytes: Uint8Array): void;
  /** Up to `length` bytes from `at`. */
  read(at: number, length: number): Uint8Array;
  /** The file ends here: one stream that did not say its size is through. */
  end(total: number): void;
  /** Back to no bytes, and to no word of them. */
  clear(): Promise<void>;
  /** Writes the note, unless one was written in the last seconds. */
  save(): Promise<void>;
  /** What came is of no use for a later visit either; `close` removes it. */
  spoil(): void;
  /** All is here and right. @param sha256 in hexadecimal, where it was computed */
  finish(sha256: string | null): Promise<void>;
  /** Writes the note a last time, or removes everything when there is nothing worth keeping. */
  close(): Promise<void>;
}

export interface Landed {
  readonly url: string;
  readonly name: string;
  /** What the whole should be, where that is known. */
  readonly bytes: number | null;
  readonly sha256: string | null;
}

/** @param now milliseconds */
export async function openLanding(disk: Disk, wanted: Landed, now: () => number): Promise<Landing> {
  const { url, name } = wanted;
  const file = await openPartial(disk, name);
  let note: DownloadNote | null;
  try {
    note = await startingNote(disk, wanted, file);
  } catch (error) {
    file.close();
    throw writeFailed(error, name, wanted.bytes, 0);
  }
  let total = note?.total ?? null;
  let served = note?.served ?? { etag: null, modified: null };
  let done = note?.done ?? [];
  let kept = true;
  let sniffed = false;
  let spoilt = false;
  /** Whether there is a note on the disk. */
  let noted = note !== null;
  let saved = now();
  let saving: Promise<void> | null = null;

  /** A disk's words for a full disk, in ours. */
  function onDisk(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw failed(error);
    }
  }

  const failed = (error: unknown) => writeFailed(error, name, total, kept ? bytesOf(done) : 0);

  function sniff(whole: boolean): void {
    const here = prefixOf(done);
    if (sniffed || (here < Math.min(SNIFFED, total ?? SNIFFED) && !whole)) return;
    sniffed = true;
    const wrong = notWeights(name, file.read(0, Math.min(SNIFFED, here)));
    if (!wrong) return;
    spoilt = true;
    throw wrong;
  }

  /** The bytes first: a note must never promise what is not on the disk. */
  async function writeNote(complete: boolean, sha256: string | null): Promise<void> {
    if (total === null || total === 0) return;
    note = { version: 1, url, total, served, done, complete, sha256 };
    onDisk(() => file.flush());
    try {
      noted = true;
      await disk.writeNote(name, note);
    } catch (error) {
      throw failed(error);
    }
  }

  /** Before the bytes go: else a tab that is closed right then leaves a note that promises other bytes. */
  async function forget(): Promise<void> {
    if (!noted) return;
    try {
      await disk.writeNote(name, null);
    } catch (error) {
      throw failed(error);
    }
    noted = false;
  }

  return {
    get total() {
      return total;
    },
    get served() {
      return served;
    },
    get done() {
      return done;
    },
    get bytes() {
      return bytesOf(done);
    },
    get complete() {
      return note?.complete === true;
    },
    begin(nextTotal, nextServed, continues) {
      kept = continues;
      total = nextTotal;
      served = nextServed;
      onDisk(() => file.truncate(total ?? 0));
    },
    write(at, bytes) {
      onDisk(() => file.write(at, bytes));
      done = withRange(done, at, at + bytes.length);
      sniff(false);
    },
    read: (at, length) => file.read(at, length),
    end(size) {
      total = size;
      onDisk(() => file.truncate(size));
      sniff(true);
    },
    async clear() {
      await forget();
      onDisk(() => file.truncate(0));
      note = null;
      done = [];
      total = null;
      served = { etag: null, modified: null };
      sniffed = false;
    },
    async save() {
      if (saving || now() - saved < NOTE_EVERY) return;
      saving = writeNote(false, wanted.sha256);
      try {
        await saving;
      } finally {
        saved = now();
        saving = null;
      }
    },
    spoil: () => void (spoilt = true),
    async finish(sha256) {
      await writeNote(true, sha256);
    },
    async close() {
      // A note on its way was asked for by a connection, which hears of its failure.
      await saving?.catch(() => undefined);
      const keep = !spoilt && bytesOf(done) > 0;
      try {
        if (keep && note?.complete !== true) await writeNote(false, wanted.sha256);
      } catch {
        // On a full disk the last note, seconds older, has to do.
      } finally {
        file.close();
      }
      if (!keep) await disk.remove(name);
    },
  };
}

/** What an earlier visit left, where it is of use; the file is empty otherwise. */
async function startingNote(disk: Disk, wanted: Landed, file: PartialFile): Promise<DownloadNote | null> {
  const found = await disk.readNote(wanted.name).catch(() => null);
  const note = readNote(found, wanted, file.size());
  if (note && (wanted.bytes === null || wanted.bytes === note.total)) return note;
  // The note first: it must never promise what is not there.
  if (found !== null) await disk.writeNote(wanted.name, null);
  file.truncate(0);
  return null;
}
