import { describe, expect, test } from 'vitest';
import { seededNormals } from '../array/random.ts';
import { Graph } from './graph.ts';
import { linear } from './ops/linear.ts';
import { BLOCK, decode, encode, scalesOf } from './quantise.ts';
import { readOnnx } from './reader.ts';
import { serialise } from './serialise.ts';

const normals = (count: number) => seededNormals(7)(count);
const coded = (values: Float32Array, bits: 4 | 8) => {
  const scales = scalesOf(values, bits);
  return decode(encode(values, scales, bits), scales, bits);
};

describe.each([
  [8, 1 / 128],
  [4, 1 / 8],
] as const)('codes of %i bits', (bits, step) => {
  const values = normals(64 * BLOCK);
  const back = coded(values, bits);

  test('are off by at most half a step of their block, and a step at the end that has no code', () => {
    for (let block = 0; block < 64; block++) {
      const range = values.subarray(block * BLOCK, (block + 1) * BLOCK);
      const largest = range.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      range.forEach((value, i) => {
        const off = Math.abs(back[block * BLOCK + i] - value) / largest;
        // The number opposite in sign to the largest may lie one step beyond the last code. 1e-3: the half scale.
        expect(off).toBeLessThanOrEqual((Math.abs(value) > (1 - step) * largest ? 1 : 0.5) * step + 1e-3);
      });
    }
  });

  test('keep zero, and the largest number of a block to the precision of its scale', () => {
    const block = new Float32Array(BLOCK);
    block[3] = -0.7;
    block[9] = 0.2;
    const result = coded(block, bits);
    expect(result[0]).toBe(0);
    expect(result[3]).toBeCloseTo(-0.7, 3);
    expect(coded(new Float32Array(BLOCK), bits).every((value) => value === 0)).toBe(true);
  });
});

test('two codes of 4 bits share a byte, the first one low', () => {
  const block = new Float32Array(BLOCK);
  block.set([-8, 7, 1]);
  const codes = encode(block, scalesOf(block, 4), 4);
  expect([...codes.subarray(0, 2)]).toEqual([0 | (15 << 4), 9 | (8 << 4)]);
});

describe('a layer stored in 4 bits', () => {
  const layer = (inputs: number, weight = normals(4 * inputs)) => {
    const graph = new Graph('layer', 'q4');
    const x = graph.input('x', ['rows', inputs]);
    const y = linear(graph, x, { name: 'layer', inputs, outputs: 4, weight: () => weight, bias: null });
    graph.output('y', y, ['rows', 4]);
    return readOnnx(serialise(graph).model);
  };

  test('takes half a byte a number, and two for each scale', () => {
    const { initialisers, opCounts } = layer(64);
    expect(opCounts).toMatchObject({ 'com.microsoft.MatMulNBits': 1 });
    expect(initialisers.map(({ name, shape, byteLength }) => [name, shape, byteLength])).toEqual([
      ['layer.weight.codes', [4, 2, 16], 128],
      ['layer.weight.scales', [8], 16],
    ]);
  });

  test('stays in half precision when its inputs make no whole blocks, in single when it is too large', () => {
    expect(layer(40).initialisers).toMatchObject([{ name: 'layer.weight', dtype: 'float16' }]);
    const large = layer(64, new Float32Array(256).fill(1e6));
    expect(large.initialisers).toMatchObject([{ name: 'layer.weight', dtype: 'float32' }]);
  });

  test('must be finite', () => {
    expect(() => layer(64, new Float32Array(256).fill(NaN))).toThrow(
      /^invalid weight: NaN in 'layer\.weight'/,
    );
  });
});
