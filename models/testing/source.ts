/** Sources that say how much was read of them. */
import { checkRange } from '../files/source.ts';
import type { ByteSource } from '../files/source.ts';

export interface CountingSource extends ByteSource {
  /** Bytes read so far, every time anew. */
  bytesRead(): number;
}

/** `start`, then zeros that nobody stores, up to `size` bytes, then `end`. */
export function countingSource(
  start: Uint8Array,
  size = start.length,
  end: Uint8Array = new Uint8Array(),
): CountingSource {
  let bytesRead = 0;
  return {
    label: 'counted',
    size,
    bytesRead: () => bytesRead,
    read: (offset, length) => {
      checkRange(offset, length, size, 'counted');
      bytesRead += length;
      const out = new Uint8Array(length);
      if (offset < start.length) out.set(start.subarray(offset, offset + length));
      const tail = size - end.length;
      if (offset + length > tail) {
        out.set(end.subarray(Math.max(0, offset - tail), offset + length - tail), Math.max(0, tail - offset));
      }
      return out;
    },
  };
}
