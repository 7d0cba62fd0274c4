import { deflateSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { countingSource } from '../testing/source.ts';
import { wideZip } from '../testing/zip.ts';
import { crc32 } from './crc32.ts';
import { sourceOfBytes } from './source.ts';
import { openZip } from './zip.ts';

const text = (value: string) => new TextEncoder().encode(value);
const open = (bytes: Uint8Array) => openZip(sourceOfBytes(bytes, 'a.zip'));

it('has the checksum of the standard check string', () => {
  expect(crc32(text('123456789'))).toBe(0xcbf43926);
  expect(crc32(text('The quick brown fox jumps over the lazy dog'))).toBe(0x414fa339);
});

describe('zip64', () => {
  it('reads sizes and offsets of 64 bits, folders left out', () => {
    const entries = open(
      wideZip([
        { name: 'd/', data: text('') },
        { name: 'd/a', data: text('hello') },
      ]),
    );
    expect(entries.map(({ name, size }) => [name, size])).toEqual([['d/a', 5]]);
    expect(entries[0].read()).toEqual(text('hello'));
  });

  it('opens an archive of 20 GB by its directory, and a stored entry in ranges', () => {
    const shift = 20e9;
    const data = text('hello');
    const end = wideZip([{ name: 'small', data }], shift);
    const source = countingSource(new Uint8Array(), shift + end.length, end);
    const [entry] = openZip(source);
    expect(entry.open().read(1, 3)).toEqual(text('ell'));
    expect(source.bytesRead()).toBeLessThan(70_000);
    expect(() => entry.open().read(3, 3)).toThrow('invalid file: small in counted; it ends too early');
  });
});

describe('an entry', () => {
  const data = new Uint8Array(1000).fill(7);
  const deflated = { name: 'x', data: deflateSync(data), method: 8, size: 1000, checksum: crc32(data) };

  it('is unpacked for ranges when it is deflated', () => {
    const [entry] = open(wideZip([deflated]));
    expect(entry.open().read(990, 10)).toEqual(data.subarray(990));
  });

  it('is checked as a whole and not in ranges when it is stored', () => {
    const [entry] = open(wideZip([{ name: 'x', data, checksum: 1 }]));
    expect(() => entry.read()).toThrow('invalid zip file: x in a.zip; it is damaged');
    expect(() => entry.open().read(0, 1000)).toThrow('damaged');
    expect(entry.open().read(0, 999)).toEqual(data.subarray(0, 999));
    const [unchecked] = open(wideZip([{ name: 'x', data, checksum: 0 }]));
    expect(unchecked.open().read(0, 1000)).toEqual(data);
  });

  it('is refused where it claims more than deflate can make, or a size only a zip bomb has', () => {
    const [liar] = open(wideZip([{ ...deflated, size: 2 ** 31 }]));
    expect(() => liar.read()).toThrow('damaged');
    const bomb = { name: 'x', data: new Uint8Array(300_000), method: 8, size: 3e8 };
    const [entry] = open(wideZip([bomb]));
    expect(() => entry.read()).toThrow(
      'unsupported zip entry: x in a.zip, which unpacks from 300000 bytes to 300000000; store it',
    );
    expect(() => entry.open()).toThrow('unsupported zip entry');
  });

  it('is refused where it lies over another, leaves the file, or has the name of another', () => {
    const a = { name: 'a', data: text('12345') };
    const b = { name: 'b', data: text('12345') };
    expect(() => open(wideZip([a, { ...b, offset: 30 }]))).toThrow(
      'invalid zip entry: b in a.zip; it lies over another entry',
    );
    expect(() => open(wideZip([a, { ...b, packed: 100e9, size: 100e9 }]))).toThrow('b in a.zip; it leaves');
    expect(() => open(wideZip([a, { ...b, offset: 2 ** 63 }]))).toThrow('it leaves the file');
    expect(() => open(wideZip([a, a]))).toThrow('invalid zip entry: a in a.zip; the name stands twice');
  });
});

describe('a directory', () => {
  it('is refused where it claims more entries or bytes than the file has', () => {
    const bytes = wideZip([{ name: 'a', data: text('1') }]);
    const view = new DataView(bytes.buffer);
    const wideEnd = bytes.length - 22 - 20 - 56;
    view.setUint32(wideEnd + 32, 1e9, true);
    expect(() => open(bytes)).toThrow('invalid zip file: a.zip; it is damaged');
    view.setUint32(wideEnd + 40, 1e9, true);
    expect(() => open(bytes)).toThrow('unsupported zip file: a.zip; its directory of 1000000000 bytes');
  });
});
