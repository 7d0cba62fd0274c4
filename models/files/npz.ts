/** NumPy's archives of named arrays: a zip of .npy files. */
import { zipSync } from 'fflate';
import type { Tensor } from '../array/tensor.ts';
import { invalid, missing } from '../errors.ts';
import { readNpy, writeNpy } from './npy.ts';
import { sourceOfBytes } from './source.ts';
import type { ByteSource } from './source.ts';
import { openZip } from './zip.ts';

/** Arrays by name; each is unpacked when it is asked for. */
export interface Npz {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** The array called `name`; an error that lists the names when there is none. */
  get(name: string): Tensor;
}

/** The arrays in the .npz file `bytes`; `label` (say, the file's name) stands in errors. */
export function readNpz(bytes: Uint8Array, label = 'npz file'): Npz {
  return openNpz(sourceOfBytes(bytes, label));
}

/** The arrays of an .npz file; only its directory is read now. */
export function openNpz(source: ByteSource): Npz {
  const { label } = source;
  const entries = new Map(
    openZip(source)
      .filter((entry) => entry.name.endsWith('.npy'))
      .map((entry) => [entry.name.slice(0, -4), entry]),
  );
  if (entries.size === 0)
    throw invalid('npz file', label, 'it holds no arrays; give a file that numpy.savez wrote');
  const names = [...entries.keys()];
  return {
    names,
    has: (name) => entries.has(name),
    get: (name) => {
      const entry = entries.get(name);
      if (entry) return readNpy(entry.read(), `${name} in ${label}`);
      throw missing('array', `'${name}' in ${label}`, `it holds ${names.join(', ')}`);
    },
  };
}

/** An .npz file of `arrays`, deflated unless told otherwise; the same arrays give the same bytes. */
export function writeNpz(
  arrays: Readonly<Record<string, Tensor>>,
  { compress = true }: { readonly compress?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  const files: Record<string, Uint8Array> = {};
  for (const [name, tensor] of Object.entries(arrays)) {
    files[`${name}.npy`] = writeNpy(tensor, name);
  }
  // A fixed date, the first that zip can hold: output must not depend on the clock or time zone.
  return zipSync(files, { level: compress ? 6 : 0, mtime: new Date(1980, 0, 1) });
}
