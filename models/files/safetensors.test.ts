import { describe, expect, it } from 'vitest';
import { toFloat32 } from '../array/convert.ts';
import type { Tensor } from '../array/tensor.ts';
import { readReference, referencePath } from '../testing/reference.ts';
import { countingSource } from '../testing/source.ts';
import { openSafetensors, readSafetensors, writeSafetensors } from './safetensors.ts';
import { parameterCount, weightsOf } from './weights.ts';

/** A file with any header and `length` zero bytes of data. */
function file(header: unknown, length: number): Uint8Array {
  const text = typeof header === 'string' ? header : JSON.stringify(header);
  const json = new TextEncoder().encode(text);
  const out = new Uint8Array(8 + json.length + length);
  new DataView(out.buffer).setBigUint64(0, BigInt(json.length), true);
  out.set(json, 8);
  return out;
}
const f32 = (shape: number[], begin: number, end: number) => ({
  dtype: 'F32',
  shape,
  data_offsets: [begin, end],
});

describe('safetensors', () => {
  it('returns the tensors that were written, of every dtype', () => {
    const tensors: Record<string, Tensor> = {
      odd: { dtype: 'uint8', shape: [3], data: Uint8Array.of(1, 2, 3) },
      x: { dtype: 'float32', shape: [2, 1], data: Float32Array.of(1.5, -2) }, // not aligned
      half: { dtype: 'float16', shape: [1], data: Uint16Array.of(0x3c00) },
      brain: { dtype: 'bfloat16', shape: [1], data: Uint16Array.of(0x3f80) },
      scalar: { dtype: 'int64', shape: [], data: BigInt64Array.of(-9n) },
      tiny: { dtype: 'float8_e4m3fn', shape: [2], data: Uint8Array.of(0x38, 0xb8) },
      tinier: { dtype: 'float8_e5m2', shape: [1], data: Uint8Array.of(0x3c) },
      none: { dtype: 'float64', shape: [0, 7], data: new Float64Array() },
    };
    const weights = readSafetensors(writeSafetensors(tensors, { format: 'pt' }));
    expect(weights.names).toEqual(Object.keys(tensors));
    for (const name of weights.names) expect(weights.get(name)).toEqual(tensors[name]);
    expect(weights.shape('x')).toEqual([2, 1]);
    expect(parameterCount(weights)).toBe(3 + 2 + 1 + 1 + 1 + 2 + 1);
  });

  const golden = 'nanowm/additive/model.safetensors';
  it.skipIf(referencePath(golden) === null)('reads a file that the reference wrote', () => {
    const weights = readSafetensors(readReference(golden)!);
    expect(weights.shape('temp_embed').length).toBe(3);
    const values = weights.names.flatMap((name) => [...toFloat32(weights.get(name))]);
    expect(values.every(Number.isFinite)).toBe(true);
    expect(parameterCount(weights)).toBe(values.length);
  });

  it('opens a file of 100 GB by its header and reads one tensor by its own bytes', () => {
    const size = 100e9;
    const json = JSON.stringify({ large: f32([size / 4 - 2], 0, size - 8), small: f32([2], size - 8, size) });
    const source = countingSource(file(json, 0), 8 + json.length + size);
    const weights = openSafetensors(source);
    expect(source.bytesRead()).toBe(8 + json.length);
    expect(weights.get('small').data).toEqual(new Float32Array(2));
    expect(source.bytesRead()).toBe(8 + json.length + 8);
  });

  it('names the weight that is missing', () => {
    expect(() => weightsOf({}).get('pos_embed')).toThrow(/^missing weight: pos_embed; /);
  });
});

describe('bad files', () => {
  const good = writeSafetensors({
    a: { dtype: 'float32', shape: [2], data: Float32Array.of(1, 2) },
  });

  it('notices every cut', () => {
    for (let length = 0; length < good.length; length++) {
      const cut = () => readSafetensors(good.slice(0, length), 'model.safetensors');
      expect(cut, `${length} bytes`).toThrow(/^invalid safetensors file: model.safetensors; .*short/);
    }
  });

  it('notices bytes after the last tensor', () => {
    expect(() => readSafetensors(Uint8Array.of(...good, 0))).toThrow('1 bytes follow');
  });

  it('refuses an absurd header length and a header that is not JSON or not an object', () => {
    const huge = good.slice();
    huge.fill(255, 0, 8);
    expect(() => readSafetensors(huge)).toThrow('header length is absurd');
    expect(() => readSafetensors(file('{"a": ', 0))).toThrow('not JSON');
    expect(() => readSafetensors(file('[1, 2]', 0))).toThrow('not an object');
    expect(() => readSafetensors(file('null', 0))).toThrow('not an object');
  });

  it('refuses offsets that overlap, leave a gap, run backwards or leave the file', () => {
    const two = (b: unknown) => file({ a: f32([2], 0, 8), b }, 16);
    expect(() => readSafetensors(two(f32([2], 4, 12)))).toThrow("'b' in safetensors file; it overl");
    expect(() => readSafetensors(two(f32([1], 12, 16)))).toThrow('gap');
    expect(() => readSafetensors(two(f32([2], 16, 8)))).toThrow('do not fit');
    expect(() => readSafetensors(two(f32([4], 8, 24)))).toThrow('cut short');
  });

  it('refuses shapes that do not fit the bytes, and entries without their fields', () => {
    expect(() => readSafetensors(file({ a: f32([3], 0, 8) }, 8))).toThrow('shape [3]');
    expect(() => readSafetensors(file({ a: f32([-2], 0, 8) }, 8))).toThrow('invalid tensor');
    expect(() => readSafetensors(file({ a: null }, 0))).toThrow("invalid tensor: 'a'");
    expect(() => readSafetensors(file({ a: { dtype: 'F32', shape: [2] } }, 8))).toThrow('needs');
  });

  it('refuses a name that stands twice, also when it is written in two ways', () => {
    const entry = JSON.stringify(f32([2], 0, 8));
    const twice = (second: string) => readSafetensors(file(`{"a\\"b": ${entry}, "${second}": ${entry}}`, 8));
    expect(() => twice('a\\"b')).toThrow(
      "invalid tensor: 'a\"b' in safetensors file; its header names it twice",
    );
    expect(() => twice('\\u0061\\u0022b')).toThrow('names it twice');
    expect(() => readSafetensors(file(`{"a": {"dtype": "F32", "dtype": "F32"}}`, 8))).toThrow("'dtype'");
    const alike = '{"__metadata__": {"a": "a", "b": "a:{"}, "shape": ' + entry + '}';
    expect(readSafetensors(file(alike, 8)).names).toEqual(['shape']);
  });

  it('refuses a tensor of 100 GB in a small file before any of it is reserved', () => {
    const claim = { a: f32([25e9], 0, 100e9) };
    expect(() => readSafetensors(file(claim, 8))).toThrow('cut short');
  });

  it('reads a header with strings of megabytes', () => {
    const header = { __metadata__: { note: 'n"'.repeat(4e6) }, a: f32([1], 0, 4) };
    expect(readSafetensors(file(header, 4)).names).toEqual(['a']);
  });

  it('refuses a dtype that it does not know, by name', () => {
    const strange = { dtype: 'F4', shape: [8], data_offsets: [0, 4] };
    expect(() => readSafetensors(file({ w: strange }, 4))).toThrow("unsupported dtype: F4 in 'w'");
  });
});
