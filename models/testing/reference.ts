/** Golden files for tests: the shared folder beside the project, else the copies kept here. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readNpz } from '../files/npz.ts';
import type { Npz } from '../files/npz.ts';

const PLACES = ['../../../shared/reference/', './reference/'];

/** Where the golden file or folder `name` (such as `nanowm/additive/io.npz`) lies, or null. */
export function referencePath(name: string): string | null {
  for (const place of PLACES) {
    const path = fileURLToPath(new URL(place + name, import.meta.url));
    if (existsSync(path)) return path;
  }
  return null;
}

/** Bytes of the golden file `name`, or null when neither place has it. */
export function readReference(name: string): Uint8Array | null {
  const path = referencePath(name);
  return path === null ? null : new Uint8Array(readFileSync(path));
}

/** Text of the golden file `name`, or null. */
export function readReferenceText(name: string): string | null {
  const bytes = readReference(name);
  return bytes && new TextDecoder().decode(bytes);
}

/** Arrays of the golden file `name`, which must be there: guard the test with `referencePath`. */
export function referenceArrays(name: string): Npz {
  const bytes = readReference(name);
  if (bytes === null) throw new Error(`no reference file ${name}: skip this test without it`);
  return readNpz(bytes, name);
}
