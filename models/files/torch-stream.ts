/**
 * The older kind of torch.save (torch.serialization._legacy_save): one after another the pickles of a magic
 * number, the protocol, the machine, the object and the keys of its storages, then the storages in the order of
 * the keys, each with its number of elements (int64) in front.
 */
import { invalid, missing, unsupported } from '../errors.ts';
import { findGlobal } from './pickle-allow.ts';
import { cursorOver } from './pickle-cursor.ts';
import { unpickle } from './pickle.ts';
import { partOf } from './source.ts';
import type { ByteSource } from './source.ts';
import { bigEndian, readClaim } from './torch-storage.ts';
import { TorchStorage } from './torch-tensor.ts';

const MAGIC = 0x1950a86a20f9469cfc6cn;
const PROTOCOL = 1001;

/** A storage that the pickle names; `start` is known behind the pickles. */
interface Place {
  readonly width: number;
  readonly size: number;
  start?: number;
}

/** The saved object. @throws one sentence for a damaged file and for a pickle that names what is not allowed. */
export function openTorchStream(source: ByteSource): unknown {
  const { label } = source;
  const cursor = cursorOver(source);
  const find = (module: string, name: string) => findGlobal(module, name, label);
  const plain = () => unpickle(cursor, { find });
  if (plain() !== MAGIC) {
    throw invalid('torch file', label, 'it does not begin as files of torch.save do; give one that it wrote');
  }
  if (plain() !== PROTOCOL) {
    throw unsupported('torch file', `${label} of another protocol`, 'save it again with PyTorch 2');
  }
  const machine = plain();
  if (machine instanceof Map && machine.get('little_endian') === false) throw bigEndian(label);
  const places = new Map<string, Place>();
  const value = unpickle(cursor, { find, persistent: (id) => storageAt(source, places, id) });
  const keys = plain();
  if (!Array.isArray(keys)) throw damaged(label);
  findPlaces(source, cursor.position(), keys, places);
  return value;
}

/** The storage that `id` names; every mention of one name must make it of one size. */
function storageAt(source: ByteSource, places: Map<string, Place>, id: unknown): TorchStorage {
  const { type, key, size, part } = readClaim(id, source.label);
  const place = places.get(key) ?? { width: type.width, size };
  if (place.size !== size) throw damaged(source.label);
  places.set(key, place);
  const inner = part ?? { start: 0, size };
  const open = () => partOf(source, place.start! + inner.start, inner.size);
  return new TorchStorage(`storage ${key} in ${source.label}`, type.dtype, inner.size, open);
}

/** Walks over the storages from `at` by their counts, without reading them. */
function findPlaces(
  source: ByteSource,
  at: number,
  keys: readonly unknown[],
  places: ReadonlyMap<string, Place>,
): void {
  const { label } = source;
  for (const key of keys) {
    const place = typeof key === 'string' ? places.get(key) : undefined;
    if (!place || place.start !== undefined) throw damaged(label);
    if (at + 8 > source.size) throw cutShort(label);
    const head = source.read(at, 8);
    const count = Number(new DataView(head.buffer, head.byteOffset, 8).getBigInt64(0, true));
    if (count * place.width !== place.size) throw damaged(label);
    place.start = at + 8;
    at = place.start + place.size;
    if (at > source.size) throw cutShort(label);
  }
  for (const [key, { start }] of places) {
    if (start === undefined)
      throw missing('storage', `${key} in ${label}`, 'the file is damaged; fetch it again');
  }
}

function damaged(label: string): Error {
  return invalid('torch file', label, 'its storages do not fit its tensors; it is damaged, fetch it again');
}

function cutShort(label: string): Error {
  return invalid('torch file', label, 'it ends too early; the download may be cut short');
}
