import { describe, expect, it } from 'vitest';
import type { Tensor } from '../array/tensor.ts';
import { readNpy, writeNpy } from './npy.ts';

/** An .npy file with the header `text` as NumPy writes it. */
function npy(text: string, data: ArrayLike<number>, version = 1): Uint8Array {
  const header = new TextEncoder().encode(`${text}\n`);
  const prefix = version === 1 ? [header.length, 0] : [header.length, 0, 0, 0];
  const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0];
  return Uint8Array.of(...magic, ...prefix, ...header, ...Array.from(data));
}
const header = (descr: string, shape: string, fortran = 'False') =>
  `{'descr': ${descr}, 'fortran_order': ${fortran}, 'shape': ${shape}, }`;

describe('reading', () => {
  it('returns the same tensor that was written, of every dtype NumPy has', () => {
    const tensors: Tensor[] = [
      { dtype: 'float32', shape: [2, 3], data: Float32Array.of(1, -2, NaN, 4, 5.5, 1e-40) },
      { dtype: 'float64', shape: [], data: Float64Array.of(0.1) },
      { dtype: 'float16', shape: [2], data: Uint16Array.of(1, 0x7bff) },
      { dtype: 'int64', shape: [1, 1], data: BigInt64Array.of(-5n) },
      { dtype: 'uint64', shape: [1], data: BigUint64Array.of(2n ** 64n - 1n) },
      { dtype: 'bool', shape: [3], data: Uint8Array.of(1, 0, 1) },
      { dtype: 'uint8', shape: [0, 4], data: new Uint8Array() },
      { dtype: 'int16', shape: [2], data: Int16Array.of(-3, 300) },
    ];
    for (const tensor of tensors) expect(readNpy(writeNpy(tensor))).toEqual(tensor);
  });

  it('reads version 2 and 3 headers, whose length has four bytes', () => {
    expect(readNpy(npy(header("'|u1'", '(2,)'), [7, 8], 2)).data).toEqual(Uint8Array.of(7, 8));
    expect(readNpy(npy(header("'|u1'", '(2,)'), [7, 8], 3)).data).toEqual(Uint8Array.of(7, 8));
  });

  it('turns Fortran order into rows', () => {
    // [[1, 2, 3], [4, 5, 6]] stored column by column
    const { data, shape } = readNpy(npy(header("'|i1'", '(2, 3)', 'True'), [1, 4, 2, 5, 3, 6]));
    expect([shape, [...(data as Int8Array)]]).toEqual([
      [2, 3],
      [1, 2, 3, 4, 5, 6],
    ]);
    const cube = Array.from({ length: 24 }, (_, i) => {
      const [a, b, c] = [i % 2, Math.floor(i / 2) % 3, Math.floor(i / 6)];
      return a * 12 + b * 4 + c; // the place that the element has in rows
    });
    const three = readNpy(npy(header("'|u1'", '(2, 3, 4)', 'True'), cube)).data as Uint8Array;
    expect([...three]).toEqual(Array.from({ length: 24 }, (_, i) => i));
  });

  it('reads big-endian numbers', () => {
    const bytes = npy(header("'>f4'", '(2,)'), [0x3f, 0x80, 0, 0, 0xc0, 0x40, 0, 0]);
    expect(readNpy(bytes)).toEqual({ dtype: 'float32', shape: [2], data: Float32Array.of(1, -3) });
  });
});

describe('bad input', () => {
  const good = writeNpy({ dtype: 'float32', shape: [4], data: new Float32Array(4) });

  it('refuses objects, records, text and complex numbers by name', () => {
    expect(() => readNpy(npy(header("'|O'", '(1,)'), [0]), 'poses')).toThrow(
      "unsupported dtype: object in 'poses'",
    );
    expect(() => readNpy(npy(header("[('x', '<f4')]", '(1,)'), [0]))).toThrow('records');
    expect(() => readNpy(npy(header("'<U5'", '(1,)'), [0]))).toThrow('<U5');
    expect(() => readNpy(npy(header("'<c8'", '(1,)'), [0]))).toThrow('<c8');
  });

  it('says of every cut where the file ends that it is cut short or not an array', () => {
    for (let length = 0; length < good.length; length++) {
      expect(() => readNpy(good.slice(0, length), 'x'), `${length} bytes`).toThrow(/^invalid npy/);
    }
  });

  it('refuses other files, broken headers and header lengths beyond the file', () => {
    expect(() => readNpy(new TextEncoder().encode('PK\x03\x04 something'))).toThrow('.npy');
    expect(() => readNpy(npy("{'descr': '<f4'}", []))).toThrow('invalid npy header');
    const negative = npy(header("'<f4'", '(-1,)'), []);
    expect(() => readNpy(negative)).toThrow('invalid npy header');
    const huge = npy('{}', [], 2);
    huge.fill(255, 8, 12);
    expect(() => readNpy(huge)).toThrow('cut short');
  });

  it('refuses a shape whose elements the file does not hold', () => {
    expect(() => readNpy(npy(header("'<f8'", '(99999999, 99999999)'), [0]))).toThrow('cut short');
  });

  it('refuses to write bfloat16', () => {
    const tensor = { dtype: 'bfloat16', shape: [1], data: Uint16Array.of(0) } as const;
    expect(() => writeNpy(tensor, 'w')).toThrow("unsupported dtype: bfloat16 in 'w'");
  });
});
