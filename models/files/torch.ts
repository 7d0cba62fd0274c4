/**
 * Files of torch.save: a pickle of the objects, and the storages of their tensors beside it. The zip kind
 * (since PyTorch 1.6) holds them as entries, the older kind as one stream. Only the pickle is read now.
 */
import { invalid, missing, unsupported } from '../errors.ts';
import { findGlobal } from './pickle-allow.ts';
import { cursorOver } from './pickle-cursor.ts';
import { unpickle } from './pickle.ts';
import { openTorchStream } from './torch-stream.ts';
import { bigEndian, readClaim } from './torch-storage.ts';
import { TorchStorage } from './torch-tensor.ts';
import { sourceOfBytes } from './source.ts';
import type { ByteSource } from './source.ts';
import { openZip } from './zip.ts';
import type { ZipEntry } from './zip.ts';

export interface TorchFile {
  readonly kind: 'torch-zip' | 'torch-stream';
  /** The saved object as data (pickle-values.ts); tensors in it are `LazyTensor`. */
  readonly value: unknown;
}

/** @throws one sentence for a damaged file and for a pickle that names what is not allowed. */
export function openTorch(source: ByteSource): TorchFile {
  const zip = source.size >= 2 && source.read(0, 2)[0] === 0x50 && source.read(0, 2)[1] === 0x4b;
  return zip
    ? { kind: 'torch-zip', value: openTorchZip(source) }
    : { kind: 'torch-stream', value: openTorchStream(source) };
}

/** The saved object in the archive; whatever the folder in it is called. */
function openTorchZip(source: ByteSource): unknown {
  const { label } = source;
  const entries = new Map(openZip(source).map((entry) => [entry.name, entry]));
  const pickles = [...entries.keys()].filter((name) => /^[^/]*\/?data\.pkl$/.test(name));
  if (pickles.length !== 1) {
    throw invalid('torch file', label, 'this zip holds no data.pkl; give a file that torch.save wrote');
  }
  const root = pickles[0].slice(0, -'data.pkl'.length);
  if (entries.has(`${root}constants.pkl`)) {
    throw unsupported(
      'file',
      `TorchScript program ${label}`,
      'save its weights: torch.save(m.state_dict(), f)',
    );
  }
  const order = entries.get(`${root}byteorder`);
  if (order && (order.size > 6 || new TextDecoder().decode(wholeOf(order)) !== 'little')) {
    throw bigEndian(label);
  }
  const persistent = (id: unknown): TorchStorage => {
    const { type, key, size } = readClaim(id, label);
    const name = `${root}data/${key}`;
    const entry = entries.get(name);
    if (!entry) throw missing('storage', `${name} in ${label}`, 'the file is damaged; fetch it again');
    const place = `data/${key} in ${label}`;
    if (!(size <= entry.size)) {
      const remedy = `it holds ${entry.size} bytes where its tensors need ${size}; fetch the file again`;
      throw invalid('storage', place, remedy);
    }
    return new TorchStorage(place, type.dtype, entry.size, () => entry.open());
  };
  const pickle = wholeOf(entries.get(pickles[0])!);
  const cursor = cursorOver(sourceOfBytes(pickle, label));
  return unpickle(cursor, { find: (module, name) => findGlobal(module, name, label), persistent });
}

/** An honest pickle is a thousandth of this. */
const LARGEST_PICKLE = 2 ** 29;

function wholeOf(entry: ZipEntry): Uint8Array {
  if (entry.size > LARGEST_PICKLE) {
    throw unsupported('torch file', `${entry.name} of ${entry.size} bytes`, 'save only the weights');
  }
  const bytes = entry.open();
  return bytes.read(0, bytes.size);
}
