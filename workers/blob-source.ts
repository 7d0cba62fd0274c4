/** A file that the visitor gave, as a source of bytes. In dedicated workers only: pages cannot read at once. */
import { invalid } from '../models/errors.ts';
import { checkRange } from '../models/files/source.ts';
import type { ByteSource } from '../models/files/source.ts';

/** Reads go to the disk; nothing is kept. */
export function sourceOfBlob(blob: Blob, label: string): ByteSource {
  const reader = new FileReaderSync();
  return {
    label,
    size: blob.size,
    read(offset, length) {
      checkRange(offset, length, blob.size, label);
      try {
        return new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + length)));
      } catch {
        // A file that was changed or removed after it was given cannot be read any more.
        throw invalid('file', label, 'it cannot be read any more; give it again');
      }
    },
  };
}
