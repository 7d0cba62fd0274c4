import { describe, expect, it } from 'vitest';
import { copyFrame, paintDifference } from './pixels.ts';

/** A table that shows the difference itself: red holds its size, green is 255 where it is negative. */
const plain = new Uint8ClampedArray(511 * 3);
for (let d = -255; d <= 255; d++) plain.set([Math.abs(d), d < 0 ? 255 : 0, 0], (d + 255) * 3);

describe('copyFrame', () => {
  it('takes the frame asked for and makes it opaque', () => {
    const frames = Uint8Array.from({ length: 2 * 2 * 3 }, (_, i) => i);
    const out = new Uint8ClampedArray(8);
    copyFrame(frames, 1, 2, out);
    expect([...out]).toEqual([6, 7, 8, 255, 9, 10, 11, 255]);
  });
});

describe('paintDifference', () => {
  it('takes the largest difference of the three channels, with its sign', () => {
    const truth = Uint8Array.from([10, 10, 10, 200, 0, 0]);
    const prediction = Uint8Array.from([12, 3, 10, 200, 0, 255]);
    const out = new Uint8ClampedArray(8);
    paintDifference(truth, prediction, 0, 2, plain, out);
    expect([...out]).toEqual([7, 255, 0, 255, 255, 0, 0, 255]);
  });

  it('gives the neutral where nothing differs', () => {
    const frame = Uint8Array.from([1, 2, 3]);
    const out = new Uint8ClampedArray(4);
    paintDifference(frame, frame, 0, 1, plain, out);
    expect([...out]).toEqual([0, 0, 0, 255]);
  });
});
