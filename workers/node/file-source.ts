/** A file on disk that is read where it is wanted, for the readers of checkpoints. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { invalid, missing } from '../../models/errors.ts';
import { checkRange } from '../../models/files/source.ts';
import type { ByteSource } from '../../models/files/source.ts';

export interface FileSource extends ByteSource {
  /** To be called when nothing of the file is needed any more. */
  close(): void;
}

/** Node reads at most 2^31 - 1 bytes at once. */
const LARGEST_READ = 2 ** 30;

/** @throws one sentence when there is no such file, as `read` does when it changes or goes away. */
export function openFile(path: string): FileSource {
  // Before it is opened: a pipe without a writer would never open.
  if (!told(path, () => statSync(path)).isFile()) {
    throw invalid('file', path, 'it is no plain file; give one');
  }
  const file = told(path, () => openSync(path, 'r'));
  const { size } = told(path, () => fstatSync(file));
  return {
    label: path,
    size,
    read: (offset, length) => {
      checkRange(offset, length, size, path);
      const out = told(path, () => new Uint8Array(length));
      for (let at = 0; at < length;) {
        const count = told(path, () =>
          readSync(file, out, at, Math.min(length - at, LARGEST_READ), offset + at),
        );
        if (count === 0) throw invalid('file', path, 'it became shorter while it was read; try again');
        at += count;
      }
      return out;
    },
    close: () => {
      closeSync(file);
    },
  };
}

function told<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) {
      throw invalid('file', path, 'the memory does not suffice for a part of it; close other programs');
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    if (code === null) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw missing('file', path, 'give the path of an existing file');
    }
    if (code === 'EISDIR') throw invalid('file', path, 'it is a folder; give a file in it');
    throw invalid('file', path, `it cannot be read (${code}); give a file that can`);
  }
}
