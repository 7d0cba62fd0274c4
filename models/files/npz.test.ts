import { describe, expect, it } from 'vitest';
import type { Tensor } from '../array/tensor.ts';
import { referenceArrays, referencePath } from '../testing/reference.ts';
import { readNpz, writeNpz } from './npz.ts';

const a: Tensor = { dtype: 'float32', shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) };
const b: Tensor = { dtype: 'uint8', shape: [1000], data: new Uint8Array(1000).fill(7) };

describe('npz', () => {
  it('returns the arrays that were written, stored or deflated', () => {
    for (const compress of [true, false]) {
      const npz = readNpz(writeNpz({ a, b }, { compress }));
      expect(npz.names).toEqual(['a', 'b']);
      expect([npz.get('a'), npz.get('b')]).toEqual([a, b]);
    }
  });

  it('deflates when asked, and writes the same bytes for the same arrays', () => {
    expect(writeNpz({ b }).length).toBeLessThan(500);
    expect(writeNpz({ b }, { compress: false }).length).toBeGreaterThan(1000);
    expect(writeNpz({ a, b })).toEqual(writeNpz({ a, b }));
  });

  const numpy = 'rollout/0-additive-sequential.npz';
  it.skipIf(referencePath(numpy) === null)("reads NumPy's own files, checksums included", () => {
    const npz = referenceArrays(numpy);
    expect(npz.get('row_inputs').shape).toEqual([24, 4, 4, 8, 8]);
    expect(npz.names.map((name) => npz.get(name).dtype)).not.toContain('float64');
  });

  it('lists what is there when a name is missing', () => {
    expect(() => readNpz(writeNpz({ a, b }), 'clip.npz').get('frames')).toThrow(
      "missing array: 'frames' in clip.npz; it holds a, b",
    );
  });
});

describe('bad archives', () => {
  it('notices every cut', () => {
    const bytes = writeNpz({ a });
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readNpz(bytes.slice(0, length)), `${length} bytes`).toThrow(/^invalid zip file/);
    }
  });

  it('notices a changed byte in the data of a stored or deflated entry', () => {
    for (const compress of [true, false]) {
      const bytes = writeNpz({ b }, { compress });
      bytes[40] ^= 1; // behind the local header of 30 bytes and the name of 5
      expect(() => readNpz(bytes).get('b')).toThrow('damaged or cut short');
    }
  });

  it('reserves no memory for a size that the packed bytes cannot reach', () => {
    const bytes = writeNpz({ b });
    const view = new DataView(bytes.buffer);
    const directory = view.getUint32(bytes.length - 6, true);
    view.setUint32(directory + 24, 2 ** 31, true);
    expect(() => readNpz(bytes).get('b')).toThrow('damaged');
  });

  it('refuses methods and encryption that it does not know', () => {
    const bytes = writeNpz({ a });
    const directory = new DataView(bytes.buffer).getUint32(bytes.length - 6, true);
    bytes[directory + 10] = 93;
    expect(() => readNpz(bytes).get('a')).toThrow('unsupported zip method: 93');
    bytes[directory + 8] |= 1;
    expect(() => readNpz(bytes).get('a')).toThrow('encrypted');
  });

  it('refuses an archive without arrays', () => {
    expect(() => readNpz(writeNpz({}), 'empty.npz')).toThrow('it holds no arrays');
  });
});
