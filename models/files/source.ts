/** Bytes that are read where they are wanted: a file on disk, a Blob, or memory. */
import { invalid } from '../errors.ts';

/** Everything is synchronous: a worker or a command reads, never the page's own thread. */
export interface ByteSource {
  /** The file's name, for sentences. */
  readonly label: string;
  /** Bytes. */
  readonly size: number;
  /** `length` bytes from `offset`; may be a view, so do not write into it. @throws past the end. */
  read(offset: number, length: number): Uint8Array;
}

/** A source over `bytes`; what it reads are views. */
export function sourceOfBytes(bytes: Uint8Array, label: string): ByteSource {
  // Not a Buffer of Node, whose slice is no copy.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    label,
    size: plain.length,
    read: (offset, length) => {
      checkRange(offset, length, plain.length, label);
      return plain.subarray(offset, offset + length);
    },
  };
}

/** The `size` bytes of `source` from `start` as a source of their own. @throws past the end. */
export function partOf(source: ByteSource, start: number, size: number, label = source.label): ByteSource {
  checkRange(start, size, source.size, label);
  return {
    label,
    size,
    read: (offset, length) => {
      checkRange(offset, length, size, label);
      return source.read(start + offset, length);
    },
  };
}

/** @throws one sentence where `length` bytes from `offset` are not within `size` bytes. */
export function checkRange(offset: number, length: number, size: number, label: string): void {
  const whole = Number.isSafeInteger(offset) && Number.isSafeInteger(length);
  if (whole && offset >= 0 && length >= 0 && offset + length <= size) return;
  throw invalid('file', label, 'it ends too early; the download may be cut short');
}
