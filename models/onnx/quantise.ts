/**
 * Weight-only quantisation for com.microsoft.MatMulNBits: along its inputs a matrix is cut into blocks of 32
 * numbers that share a scale, each number a whole multiple of it. Symmetric: the scale is the number of largest
 * size over the lowest code, so that this number comes back as it is and zero is a code of its own.
 */
import { floatToHalf, halfToFloat } from '../array/float16.ts';
import { bytesOfArray } from '../array/bytes.ts';
import type { Graph, Value } from './graph.ts';
import type { Read } from './initialiser.ts';
import { bitsOf } from './storage.ts';

/** Numbers that share a scale. The runtime takes 16 and up; 32 costs half a bit a number for the scales. */
export const BLOCK = 32;

export interface Matrix {
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  /** [outputs, inputs]. */
  readonly weight: Read;
}

/**
 * x [rows, inputs] -> [rows, outputs], from codes and scales; null when the graph's storage is not a quantised
 * one, the inputs make no whole blocks, or half precision cannot hold the weights (its scales are halves).
 */
export function quantised(graph: Graph, x: Value, { name, inputs, outputs, weight }: Matrix): Value | null {
  const bits = bitsOf(graph.storage);
  if (bits === null || inputs % BLOCK !== 0) return null;
  if (!graph.fitsHalf(`${name}.weight`, weight, [outputs, inputs])) return null;
  const blocks = inputs / BLOCK;
  const codes = graph.initialiser({
    name: `${name}.weight.codes`,
    dtype: 'uint8',
    shape: [outputs, blocks, (BLOCK * bits) / 8],
    byteLength: (outputs * inputs * bits) / 8,
    bytes: () => {
      const read = weight();
      return encode(read, scalesOf(read, bits), bits);
    },
  });
  const scales = graph.initialiser({
    name: `${name}.weight.scales`,
    dtype: 'float16',
    shape: [outputs * blocks],
    byteLength: outputs * blocks * 2,
    bytes: () => bytesOfArray(scalesOf(weight(), bits)),
  });
  const factors = graph.node('Cast', [scales], { to: 1 });
  return graph.node('MatMulNBits', [x, codes, factors], { K: inputs, N: outputs, bits, block_size: BLOCK });
}

/** One half precision scale for each block of `values`, whose length is a whole number of blocks. */
export function scalesOf(values: Float32Array, bits: 4 | 8): Uint16Array {
  const lowest = -(2 ** (bits - 1));
  const scales = new Float32Array(values.length / BLOCK);
  for (let block = 0; block < scales.length; block++) {
    let largest = 0;
    for (let i = block * BLOCK; i < (block + 1) * BLOCK; i++) {
      if (Math.abs(values[i]) > Math.abs(largest)) largest = values[i];
    }
    scales[block] = largest / lowest;
  }
  return floatToHalf(scales);
}

/** Codes, the number's multiple of its scale plus 2^(bits - 1); of 4 bits two a byte, the first one low. */
export function encode(values: Float32Array, scales: Uint16Array, bits: 4 | 8): Uint8Array {
  const zero = 2 ** (bits - 1);
  const most = 2 * zero - 1;
  const inverse = halfToFloat(scales).map((scale) => (scale === 0 ? 0 : 1 / scale));
  const codes = new Uint8Array((values.length * bits) / 8);
  const perByte = 8 / bits;
  for (let i = 0; i < values.length; i++) {
    const code = Math.round(values[i] * inverse[Math.floor(i / BLOCK)]) + zero;
    const kept = code < 0 ? 0 : code > most ? most : code;
    if (perByte === 1) codes[i] = kept;
    else codes[i >> 1] |= i & 1 ? kept << 4 : kept;
  }
  return codes;
}

/** The numbers that codes and scales stand for: what the runtime multiplies with. */
export function decode(codes: Uint8Array, scales: Uint16Array, bits: 4 | 8): Float32Array {
  const zero = 2 ** (bits - 1);
  const factors = halfToFloat(scales);
  return Float32Array.from({ length: factors.length * BLOCK }, (_, i) => {
    const code = bits === 8 ? codes[i] : (codes[i >> 1] >> (4 * (i & 1))) & 15;
    return (code - zero) * factors[Math.floor(i / BLOCK)];
  });
}
