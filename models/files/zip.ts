/**
 * Zip archives: the directory is read first, an entry only when it is asked for. Stored and
 * deflated entries, zip64 sizes (PKWARE APPNOTE 6.3.10); no encryption, no split archives.
 */
import { inflateSync } from 'fflate';
import { invalid, unsupported } from '../errors.ts';
import { crc32 } from './crc32.ts';

export interface ZipEntry {
  readonly name: string;
  /** Bytes of the entry when unpacked. */
  readonly size: number;
  /** The unpacked bytes, checked against the archive's checksum; a view when stored. */
  read(): Uint8Array;
}

/** The largest deflated entry that we unpack, in bytes: a guard against files made to fill the memory. */
const LARGEST = 2 ** 31;

/** The entries of the archive `bytes` in the order of its directory; folders are left out. */
export function readZip(bytes: Uint8Array, name = 'archive'): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = findDirectory(view, name);
  const entries: ZipEntry[] = [];
  let at = directory.start;
  for (let i = 0; i < directory.count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw damaged(name);
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    if (extraEnd > bytes.length) throw damaged(name);
    const path = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd));
    const [size, packed, offset] = wideSizes(view, at, nameEnd, extraEnd);
    const record = {
      path: `${path} in ${name}`,
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      size,
      packed,
      offset,
    };
    if (!path.endsWith('/')) {
      entries.push({ name: path, size, read: () => readEntry(bytes, view, record) });
    }
    at = extraEnd + view.getUint16(at + 32, true);
  }
  return entries;
}

interface EntryRecord {
  readonly path: string;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly size: number;
  readonly packed: number;
  readonly offset: number;
}

function readEntry(bytes: Uint8Array, view: DataView, entry: EntryRecord): Uint8Array {
  const { offset, packed, path } = entry;
  if (entry.flags & 1) throw unsupported('zip entry', path, 'it is encrypted; unpack it first');
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== 0x04034b50) {
    throw damaged(path);
  }
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packed > bytes.length) throw damaged(path);
  const raw = bytes.subarray(start, start + packed);
  const data = unpack(raw, entry);
  if (data.length !== entry.size || crc32(data) !== entry.checksum) throw damaged(path);
  return data;
}

function unpack(raw: Uint8Array, entry: EntryRecord): Uint8Array {
  if (entry.method === 0) return raw;
  if (entry.method !== 8) {
    throw unsupported('zip method', `${entry.method} of ${entry.path}`, 'use stored or deflated');
  }
  // Deflate makes at most 1032 bytes of one: a larger claim would only reserve memory.
  if (entry.size > raw.length * 1032 + 64) throw damaged(entry.path);
  if (entry.size > LARGEST) {
    throw unsupported('zip entry', `${entry.size} bytes of ${entry.path}`, 'store it without compression');
  }
  try {
    return inflateSync(raw, { out: new Uint8Array(entry.size) });
  } catch {
    throw damaged(entry.path);
  }
}

/** [size, packed size, offset]; what does not fit in 32 bits stands in the zip64 extra field. */
function wideSizes(view: DataView, at: number, extraStart: number, extraEnd: number): number[] {
  const sizes = [24, 20, 42].map((place) => view.getUint32(at + place, true));
  for (let field = extraStart; field + 4 <= extraEnd;) {
    const end = field + 4 + view.getUint16(field + 2, true);
    if (view.getUint16(field, true) === 1) {
      let next = field + 4;
      for (let i = 0; i < 3; i++) {
        if (sizes[i] !== 0xffffffff || next + 8 > Math.min(end, extraEnd)) continue;
        sizes[i] = Number(view.getBigUint64(next, true));
        next += 8;
      }
    }
    field = end;
  }
  return sizes;
}

function findDirectory(view: DataView, name: string): { start: number; count: number } {
  // The end record is 22 bytes and a comment of at most 65535.
  const lowest = Math.max(0, view.byteLength - 22 - 65535);
  for (let at = view.byteLength - 22; at >= lowest; at--) {
    if (view.getUint32(at, true) !== 0x06054b50) continue;
    const start = view.getUint32(at + 16, true);
    const count = view.getUint16(at + 10, true);
    if (start !== 0xffffffff && count !== 0xffff) return { start, count };
    return wideDirectory(view, at - 20, name);
  }
  throw invalid('zip file', name, 'it has no end record; the download may be cut short');
}

function wideDirectory(view: DataView, locator: number, name: string) {
  if (locator < 0 || view.getUint32(locator, true) !== 0x07064b50) throw damaged(name);
  const end = Number(view.getBigUint64(locator + 8, true));
  if (end + 56 > view.byteLength || view.getUint32(end, true) !== 0x06064b50) throw damaged(name);
  return {
    start: Number(view.getBigUint64(end + 48, true)),
    count: Number(view.getBigUint64(end + 32, true)),
  };
}

function damaged(name: string): Error {
  return invalid('zip file', name, 'it is damaged or cut short; fetch it again');
}
