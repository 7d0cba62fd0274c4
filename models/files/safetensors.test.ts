import { describe, expect, it } from 'vitest';
import { toFloat32 } from '../array/convert.ts';
import type { Tensor } from '../array/tensor.ts';
import { readReference, referencePath } from '../testing/reference.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';
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
      none: { dtype: 'float64', shape: [0, 7], data: new Float64Array() },
    };
    const weights = readSafetensors(writeSafetensors(tensors, { format: 'pt' }));
    expect(weights.names).toEqual(Object.keys(tensors));
    for (const name of weights.names) expect(weights.get(name)).toEqual(tensors[name]);
    expect(weights.shape('x')).toEqual([2, 1]);
    expect(parameterCount(weights)).toBe(3 + 2 + 1 + 1 + 1);
  });

  const golden = 'nanowm/additive/model.safetensors';
  it.skipIf(referencePath(golden) === null)('reads a file that the reference wrote', () => {
    const weights = readSafetensors(readReference(golden)!);
    expect(weights.shape('temp_embed').length).toBe(3);
    const values = weights.names.flatMap((name) => [...toFloat32(weights.get(name))]);
    expect(values.every(Number.isFinite)).toBe(true);
    expect(parameterCount(weights)).toBe(values.length);
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

  it('refuses a dtype that it does not know, by name', () => {
    const strange = { dtype: 'F8_E5M2', shape: [8], data_offsets: [0, 8] };
    expect(() => readSafetensors(file({ w: strange }, 8))).toThrow("unsupported dtype: F8_E5M2 in 'w'");
  });
});
