import { Float16Array, setFloat16 } from '@petamoriken/float16';
import { describe, expect, it } from 'vitest';
import { bfloat16ToFloat, floatToHalf, halfToFloat } from './float16.ts';

const every = Uint16Array.from({ length: 65536 }, (_, i) => i);

/** An independent conversion to compare with. */
function halfBits(value: number): number {
  const view = new DataView(new ArrayBuffer(2));
  setFloat16(view, 0, value, true);
  return view.getUint16(0, true);
}

describe('half precision', () => {
  it('widens all 65536 halves as another implementation does', () => {
    const theirs = new Float16Array(every.slice().buffer);
    const differing = halfToFloat(every).findIndex((value, i) => !Object.is(value, theirs[i]));
    expect(differing).toBe(-1);
  });

  it('gives back every half that is a number after widening', () => {
    const back = floatToHalf(halfToFloat(every));
    const isNumber = (half: number) => (half & 0x7fff) <= 0x7c00;
    expect(every.filter((half, i) => isNumber(half) && back[i] !== half)).toHaveLength(0);
  });

  it('rounds as another implementation at, just below and just above every midpoint', () => {
    const halves = halfToFloat(every.subarray(0, 0x7c00));
    const probes = new Float32Array(3 * 0x7bff);
    const bits = new Uint32Array(probes.buffer);
    for (let i = 0; i < 0x7bff; i++) {
      const middle = (halves[i] + halves[i + 1]) / 2; // exact in float32
      for (let j = 0; j < 3; j++) probes[3 * i + j] = middle;
      bits[3 * i] -= 1;
      bits[3 * i + 2] += 1;
    }
    const ours = floatToHalf(probes);
    expect([...ours].findIndex((half, i) => half !== halfBits(probes[i]))).toBe(-1);
    const negative = floatToHalf(probes.map((value) => -value));
    expect([...negative].findIndex((half, i) => half !== (ours[i] | 0x8000))).toBe(-1);
  });

  it('makes infinity of what is too large and zero of what is too small, keeping the sign', () => {
    const bits = floatToHalf(Float32Array.of(65519, 65520, -1e30, 2 ** -25, -(2 ** -26), -0));
    expect([...bits]).toEqual([0x7bff, 0x7c00, 0xfc00, 0, 0x8000, 0x8000]);
  });

  it('keeps NaN a NaN', () => {
    expect(halfToFloat(floatToHalf(Float32Array.of(NaN)))[0]).toBeNaN();
  });
});

describe('bfloat16', () => {
  it('is the upper half of a float32', () => {
    expect([...bfloat16ToFloat(Uint16Array.of(0x3f80, 0xc040, 0x7f80, 0x0001))]).toEqual([
      1,
      -3,
      Infinity,
      2 ** -133,
    ]);
  });
});
