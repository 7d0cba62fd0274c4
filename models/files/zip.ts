/**
 * Zip archives: the directory is read first, an entry only when it is asked for. Stored and
 * deflated entries, zip64 (PKWARE APPNOTE 6.3.10); no encryption, no split archives.
 */
import { inflateSync } from 'fflate';
import { invalid, unsupported } from '../errors.ts';
import { crc32 } from './crc32.ts';
import { partOf, sourceOfBytes } from './source.ts';
import type { ByteSource } from './source.ts';
import { readDirectory } from './zip-directory.ts';
import type { EntryRecord } from './zip-directory.ts';

export interface ZipEntry {
  readonly name: string;
  /** Bytes of the entry when unpacked. */
  readonly size: number;
  /** The unpacked bytes, checked against the checksum; may be a view of the archive when stored. */
  read(): Uint8Array;
  /**
   * The unpacked bytes to be read in ranges. Of a stored entry each range comes from the archive, and the
   * checksum is looked at only when the whole is read at once, and not where it is 0: some writers
   * (torch.save, when told so) compute none. A deflated entry is unpacked and checked now.
   */
  open(): ByteSource;
}

/** The largest deflated entry that we unpack, in bytes: a guard against files made to fill the memory. */
const LARGEST = 2 ** 31;
/** Above this size, an entry that is all repetition is taken for one of those. */
const LARGE = 2 ** 28;
const REPETITION = 256;

/** The entries of the archive in the order of its directory; folders are left out. */
export function openZip(source: ByteSource): ZipEntry[] {
  const records = readDirectory(source);
  return records
    .filter((record) => !record.name.endsWith('/'))
    .map((record) => {
      const label = `${record.name} in ${source.label}`;
      const read = () => readEntry(source, record, label);
      return {
        name: record.name,
        size: record.size,
        read,
        open: () => (record.method === 0 ? storedBytes(source, record, label) : sourceOfBytes(read(), label)),
      };
    });
}

/** The entry's bytes as they lie in the archive. */
function packedBytes(source: ByteSource, record: EntryRecord, label: string): ByteSource {
  const { offset, packed, size, method } = record;
  if (record.flags & 1) throw unsupported('zip entry', label, 'it is encrypted; unpack it first');
  if (method !== 0 && method !== 8) {
    throw unsupported('zip method', `${method} of ${label}`, 'use stored or deflated');
  }
  if (method === 0 && size !== packed) throw damaged(label);
  if (offset + 30 > source.size) throw damaged(label);
  const bytes = source.read(offset, 30);
  const header = new DataView(bytes.buffer, bytes.byteOffset, 30);
  const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  if (header.getUint32(0, true) !== 0x04034b50 || start + packed > source.size) throw damaged(label);
  return partOf(source, start, packed, label);
}

function storedBytes(source: ByteSource, record: EntryRecord, label: string): ByteSource {
  const bytes = packedBytes(source, record, label);
  return {
    ...bytes,
    read: (offset, length) => {
      const data = bytes.read(offset, length);
      const whole = length === record.size && record.checksum !== 0;
      if (whole && crc32(data) !== record.checksum) throw damaged(label);
      return data;
    },
  };
}

function readEntry(source: ByteSource, record: EntryRecord, label: string): Uint8Array {
  const packed = packedBytes(source, record, label);
  if (record.method === 8) checkSize(record, label);
  const raw = packed.read(0, packed.size);
  const data = record.method === 0 ? raw : inflate(raw, record.size, label);
  if (data.length !== record.size || crc32(data) !== record.checksum) throw damaged(label);
  return data;
}

/** Before anything is reserved: is the claimed size one that an honest file would have? */
function checkSize({ size, packed }: EntryRecord, label: string): void {
  // Deflate makes at most 1032 bytes of one.
  if (size > packed * 1032 + 64) throw damaged(label);
  if (size > LARGEST || (size > LARGE && size > packed * REPETITION)) {
    const claim = `${label}, which unpacks from ${packed} bytes to ${size}`;
    throw unsupported('zip entry', claim, 'store it without compression');
  }
}

function inflate(raw: Uint8Array, size: number, label: string): Uint8Array {
  try {
    return inflateSync(raw, { out: new Uint8Array(size) });
  } catch {
    throw damaged(label);
  }
}

function damaged(label: string): Error {
  return invalid('zip file', label, 'it is damaged or cut short; fetch it again');
}
