/** Arrays on disk, for commands that tests run. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Tensor } from '../../../models/array/tensor.ts';
import { readNpz, writeNpz } from '../../../models/files/npz.ts';
import type { Npz } from '../../../models/files/npz.ts';

export function saveArrays(path: string, arrays: Readonly<Record<string, Tensor>>): string {
  writeFileSync(path, writeNpz(arrays));
  return path;
}

export function loadArrays(path: string): Npz {
  return readNpz(new Uint8Array(readFileSync(path)), path);
}
