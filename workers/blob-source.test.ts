import { expect, it } from 'vitest';
import { sourceOfBlob } from './blob-source.ts';
import type { BlobReader } from './blob-source.ts';

const blob = new Blob([Uint8Array.of(1, 2, 3, 4, 5)]);
/** What a reader gives for a slice; Node has none that waits. */
const give = (bytes: number[]): BlobReader => ({ readAsArrayBuffer: () => Uint8Array.from(bytes).buffer });

it('asks for the slice alone', () => {
  const sizes: number[] = [];
  const reader: BlobReader = {
    readAsArrayBuffer: (slice) => {
      sizes.push(slice.size);
      return Uint8Array.of(2, 3).buffer;
    },
  };
  const source = sourceOfBlob(blob, 'a.ckpt', reader);
  expect([source.size, source.read(1, 2)]).toEqual([5, Uint8Array.of(2, 3)]);
  expect(source.read(5, 0)).toEqual(new Uint8Array());
  expect(sizes).toEqual([2]);
});

it('says in a sentence that the file ends, changed, or went away', () => {
  expect(() => sourceOfBlob(blob, 'a.ckpt', give([])).read(4, 2)).toThrow('invalid file: a.ckpt; it ends');
  expect(() => sourceOfBlob(blob, 'a.ckpt', give([1])).read(0, 2)).toThrow('it became shorter');
  const gone: BlobReader = {
    readAsArrayBuffer: () => {
      throw new DOMException('gone', 'NotReadableError');
    },
  };
  expect(() => sourceOfBlob(blob, 'a.ckpt', gone).read(0, 2)).toThrow(
    'invalid file: a.ckpt; it cannot be read any more (NotReadableError); pick it again',
  );
});
