/** What PyTorch's pickles say of a storage in place of its bytes: the persistent id. */
import { invalid, unsupported } from '../errors.ts';
import { StorageType } from './pickle-torch.ts';
import { isCount } from './torch-tensor.ts';

export interface StorageClaim {
  readonly type: StorageType;
  /** The storage's name in the file: `0`, or an address in older ones. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Older files: this storage is a part of that one, so many bytes in and long. */
  readonly part: { readonly start: number; readonly size: number } | null;
}

/** @throws one sentence when `id` is not ('storage', type, key, place, elements[, part]). */
export function readClaim(id: unknown, label: string): StorageClaim {
  const [word, type, key, , count, part] = Array.isArray(id) ? (id as unknown[]) : [];
  if (word !== 'storage' || !(type instanceof StorageType) || typeof key !== 'string' || !isCount(count)) {
    throw invalid('pickle', label, 'what it says of a storage cannot be read; the file is damaged');
  }
  const size = count * type.width;
  if (part === undefined || part === null) return { type, key, size, part: null };
  const [, start, length] = Array.isArray(part) ? (part as unknown[]) : [];
  if (!isCount(start) || !isCount(length) || start + length > count) {
    throw invalid('pickle', label, 'what it says of a storage cannot be read; the file is damaged');
  }
  return { type, key, size, part: { start: start * type.width, size: length * type.width } };
}

export function bigEndian(label: string): Error {
  return unsupported('torch file', `${label} of a big-endian machine`, 'save it again on a usual one');
}
