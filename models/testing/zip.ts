/** Zip archives written field by field, also such as no honest program writes. */
import { crc32 } from '../files/crc32.ts';

export interface Packed {
  readonly name: string;
  /** Bytes in the archive. */
  readonly data: Uint8Array;
  /** 0 stored (default), 8 deflated. */
  readonly method?: number;
  /** What the directory claims instead of the truth. */
  readonly size?: number;
  readonly packed?: number;
  readonly offset?: number;
  readonly checksum?: number;
}

/**
 * An archive of `entries`, all sizes and places in the directory in 64-bit fields (APPNOTE 4.3, 4.5.3).
 * `shift` is added to every place, as if that many bytes stood in front.
 */
export function wideZip(entries: readonly Packed[], shift = 0): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const put = (width: number, ...values: number[]) => {
    for (let value of values) {
      for (let i = 0; i < width; i++, value = Math.floor(value / 256)) bytes.push(value % 256);
    }
  };
  const lost = 0xffffffff;
  const offsets = entries.map(({ name, data, method = 0 }) => {
    const offset = bytes.length;
    const text = new TextEncoder().encode(name);
    put(4, 0x04034b50);
    put(2, 45, 0, method, 0, 0);
    put(4, crc32(data), data.length, data.length);
    put(2, text.length, 0);
    bytes.push(...text);
    for (const byte of data) bytes.push(byte);
    return offset;
  });
  const directory = bytes.length;
  entries.forEach(({ name, data, method = 0, ...claim }, i) => {
    const text = new TextEncoder().encode(name);
    put(4, 0x02014b50);
    put(2, 45, 45, 0, method, 0, 0);
    put(4, claim.checksum ?? crc32(data), lost, lost);
    put(2, text.length, 28, 0, 0, 0);
    put(4, 0, lost);
    bytes.push(...text);
    put(2, 1, 24);
    put(8, claim.size ?? data.length, claim.packed ?? data.length, (claim.offset ?? offsets[i]) + shift);
  });
  const end = bytes.length;
  put(4, 0x06064b50);
  put(8, 44);
  put(2, 45, 45);
  put(4, 0, 0);
  put(8, entries.length, entries.length, end - directory, directory + shift);
  put(4, 0x07064b50, 0);
  put(8, end + shift);
  put(4, 1, 0x06054b50);
  put(2, 0, 0, 0xffff, 0xffff);
  put(4, lost, lost);
  put(2, 0);
  return Uint8Array.from(bytes);
}
