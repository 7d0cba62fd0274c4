/** The directory at the end of a zip archive, with the 64-bit fields of large ones. */
import { invalid, unsupported } from '../errors.ts';
import type { ByteSource } from './source.ts';

/** An entry as the directory describes it. */
export interface EntryRecord {
  readonly name: string;
  /** Bit 0: encrypted. */
  readonly flags: number;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  /** CRC-32 of the unpacked bytes. */
  readonly checksum: number;
  /** Bytes unpacked, bytes in the archive, and where the entry's own header begins. */
  readonly size: number;
  readonly packed: number;
  readonly offset: number;
}

/** Signatures and lengths of the records, without their variable parts. */
const ENTRY = { signature: 0x02014b50, length: 46 } as const;
const END = { signature: 0x06054b50, length: 22 } as const;
const WIDE_LOCATOR = { signature: 0x07064b50, length: 20 } as const;
const WIDE_END = { signature: 0x06064b50, length: 56 } as const;
/** An entry's own header, in front of its data, is at least this long. */
const LOCAL_HEADER = 30;
/** Half a million entries: a guard against directories made to fill the memory. */
const LARGEST_DIRECTORY = 2 ** 26;

/**
 * All records, folders included, in the order of the directory. @throws one sentence when there is no
 * directory, an entry leaves the file or lies over another, or a name stands twice.
 */
export function readDirectory(source: ByteSource): EntryRecord[] {
  const { label } = source;
  const { start, size, count } = findDirectory(source);
  if (size > LARGEST_DIRECTORY) {
    throw unsupported('zip file', label, `its directory of ${size} bytes is too large; pack fewer files`);
  }
  if (start + size > source.size || count * ENTRY.length > size) throw damaged(label);
  const bytes = source.read(start, size);
  const view = viewOf(bytes);
  const records: EntryRecord[] = [];
  const names = new Set<string>();
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + ENTRY.length > size || view.getUint32(at, true) !== ENTRY.signature) throw damaged(label);
    const nameEnd = at + ENTRY.length + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    if (extraEnd > size) throw damaged(label);
    const name = new TextDecoder().decode(bytes.subarray(at + ENTRY.length, nameEnd));
    if (names.has(name)) {
      throw invalid('zip entry', `${name} in ${label}`, 'the name stands twice; the file may be damaged');
    }
    names.add(name);
    const [unpacked, packed, offset] = wideSizes(view, at, nameEnd, extraEnd);
    records.push({
      name,
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      size: unpacked,
      packed,
      offset,
    });
    at = extraEnd + view.getUint16(at + 32, true);
  }
  checkPlaces(records, start, label);
  return records;
}

/** Entries that share bytes are how a small archive unpacks to a huge one. */
function checkPlaces(records: readonly EntryRecord[], directory: number, label: string): void {
  let free = 0;
  for (const record of [...records].sort((a, b) => a.offset - b.offset)) {
    const end = record.offset + LOCAL_HEADER + record.packed;
    if (!(record.offset >= free && end <= directory)) {
      const fault = record.offset < free ? 'it lies over another entry' : 'it leaves the file';
      throw invalid('zip entry', `${record.name} in ${label}`, `${fault}; the file is damaged`);
    }
    free = end;
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

interface Place {
  readonly start: number;
  readonly size: number;
  readonly count: number;
}

function findDirectory(source: ByteSource): Place {
  // The end record stands last; only a comment of at most 65535 bytes may follow.
  const length = Math.min(source.size, END.length + 65535);
  const lowest = source.size - length;
  const view = viewOf(source.read(lowest, length));
  for (let at = length - END.length; at >= 0; at--) {
    if (view.getUint32(at, true) !== END.signature) continue;
    const start = view.getUint32(at + 16, true);
    const size = view.getUint32(at + 12, true);
    const count = view.getUint16(at + 10, true);
    if (start !== 0xffffffff && size !== 0xffffffff && count !== 0xffff) return { start, size, count };
    return wideDirectory(source, lowest + at - WIDE_LOCATOR.length) ?? { start, size, count };
  }
  throw invalid('zip file', source.label, 'it has no end record; the download may be cut short');
}

/** The place by the 64-bit end record that the locator at `at` names; null without one. */
function wideDirectory(source: ByteSource, at: number): Place | null {
  if (at < 0) return null;
  const locator = viewOf(source.read(at, WIDE_LOCATOR.length));
  if (locator.getUint32(0, true) !== WIDE_LOCATOR.signature) return null;
  const end = Number(locator.getBigUint64(8, true));
  if (end + WIDE_END.length > source.size) throw damaged(source.label);
  const view = viewOf(source.read(end, WIDE_END.length));
  if (view.getUint32(0, true) !== WIDE_END.signature) throw damaged(source.label);
  return {
    start: Number(view.getBigUint64(48, true)),
    size: Number(view.getBigUint64(40, true)),
    count: Number(view.getBigUint64(32, true)),
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(label: string): Error {
  return invalid('zip file', label, 'it is damaged or cut short; fetch it again');
}
