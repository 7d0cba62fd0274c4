/** A picked or stored file that is read where it is wanted. Only in workers: the page's own thread cannot wait. */
import { invalid } from '../models/errors.ts';
import { checkRange } from '../models/files/source.ts';
import type { ByteSource } from '../models/files/source.ts';

/** What we use of FileReaderSync, which workers alone have. */
export interface BlobReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** @param reader `new FileReaderSync()` */
export function sourceOfBlob(blob: Blob, label: string, reader: BlobReader): ByteSource {
  return {
    label,
    size: blob.size,
    read: (offset, length) => {
      checkRange(offset, length, blob.size, label);
      if (length === 0) return new Uint8Array();
      let bytes: ArrayBuffer;
      try {
        bytes = reader.readAsArrayBuffer(blob.slice(offset, offset + length));
      } catch (error) {
        const reason = error instanceof Error ? error.name : String(error);
        throw invalid('file', label, `it cannot be read any more (${reason}); pick it again`);
      }
      if (bytes.byteLength === length) return new Uint8Array(bytes);
      throw invalid('file', label, 'it became shorter while it was read; pick it again');
    },
  };
}
