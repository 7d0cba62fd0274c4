import { describe, expect, it } from 'vitest';
import { DIFFERENCE_COLOURS, differenceTable } from './difference.ts';
import { fromLab, toLab } from './lab.ts';
import { contrast } from './vision.ts';

describe('CIELAB', () => {
  it('gives the published values of the primaries', () => {
    // Red, green and blue of sRGB under D65 (Lindbloom's calculator).
    expect(toLab([255, 0, 0]).map((v) => Math.round(v * 10) / 10)).toEqual([53.2, 80.1, 67.2]);
    expect(toLab([0, 255, 0]).map((v) => Math.round(v * 10) / 10)).toEqual([87.7, -86.2, 83.2]);
    expect(toLab([0, 0, 255]).map((v) => Math.round(v * 10) / 10)).toEqual([32.3, 79.2, -107.9]);
  });

  it('comes back', () => {
    for (const colour of [
      [0, 0, 0],
      [12, 200, 99],
      [255, 255, 255],
    ] as const)
      fromLab(toLab(colour)).forEach((channel, i) => expect(channel).toBeCloseTo(colour[i]!, 2));
  });

  it('has black on white at 21 : 1', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 6);
  });
});

describe('the difference scale', () => {
  it('shows zero as the neutral of the page', () => {
    for (const theme of ['light', 'dark'] as const)
      expect([...differenceTable(theme, 4).slice(255 * 3, 256 * 3)]).toEqual([
        ...DIFFERENCE_COLOURS[theme].zero,
      ]);
  });

  it('reaches its end at 255 divided by the gain', () => {
    const table = differenceTable('light', 4);
    const at = (difference: number) => [...table.slice((difference + 255) * 3, (difference + 256) * 3)];
    expect(at(64)).toEqual(at(255));
    expect(at(-64)).toEqual(at(-255));
    expect(at(63)).not.toEqual(at(255));
  });
});
