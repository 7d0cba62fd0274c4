/** The engine's disk as real files of a folder, with one writer a file and room that a test can take away. */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import type { Disk } from '../models/download/disk.ts';

export interface TestDisk extends Disk {
  /** Bytes that one file may have. */
  room: number;
  /** The file's bytes; null when it is not there. */
  bytes(name: string): Uint8Array | null;
  note(name: string): unknown;
}

export function folderDisk(folder: string): TestDisk {
  const open = new Set<string>();
  const pathOf = (name: string) => join(folder, name);
  const noteOf = (name: string) => join(folder, `${name}.note.json`);
  const disk: TestDisk = {
    room: Infinity,
    partial(name) {
      if (open.has(name)) {
        return Promise.reject(new DOMException('it is open', 'NoModificationAllowedError'));
      }
      open.add(name);
      const path = pathOf(name);
      const file = openSync(path, existsSync(path) ? 'r+' : 'w+');
      const fit = (size: number) => {
        if (size > disk.room) throw new DOMException('no more room', 'QuotaExceededError');
      };
      return Promise.resolve({
        size: () => fstatSync(file).size,
        read(at, length) {
          const bytes = new Uint8Array(length);
          return bytes.subarray(0, readSync(file, bytes, 0, length, at));
        },
        write(at, bytes) {
          fit(at + bytes.length);
          writeSync(file, bytes, 0, bytes.length, at);
        },
        truncate(size) {
          fit(size);
          ftruncateSync(file, size);
        },
        // What was written is in the file as soon as `write` returns.
        flush: () => undefined,
        close() {
          closeSync(file);
          open.delete(name);
        },
      });
    },
    readNote: (name) =>
      Promise.resolve(existsSync(noteOf(name)) ? JSON.parse(readFileSync(noteOf(name), 'utf8')) : null),
    writeNote: (name, json) => Promise.resolve(writeFileSync(noteOf(name), JSON.stringify(json))),
    remove(name) {
      if (open.has(name)) return Promise.reject(new Error(`${name} is open`));
      rmSync(pathOf(name), { force: true });
      rmSync(noteOf(name), { force: true });
      return Promise.resolve();
    },
    bytes: (name) => (existsSync(pathOf(name)) ? new Uint8Array(readFileSync(pathOf(name))) : null),
    note: (name) => (existsSync(noteOf(name)) ? JSON.parse(readFileSync(noteOf(name), 'utf8')) : null),
  };
  return disk;
}
