import { describe, expect, it } from 'vitest';
import { fitWhole } from './fit.ts';

const square = (side: number) => ({ width: side, height: side });

describe('fitWhole', () => {
  it('takes the largest whole factor that fits', () => {
    expect(fitWhole(square(280), square(64), 1)).toEqual({ factor: 4, width: 256, height: 256 });
    expect(fitWhole(square(288), square(96), 1)).toEqual({ factor: 3, width: 288, height: 288 });
  });

  it('counts in device pixels, so that a dense screen may show a finer factor', () => {
    expect(fitWhole(square(280), square(64), 2)).toEqual({ factor: 8, width: 256, height: 256 });
    expect(fitWhole(square(280), square(64), 1.5)).toEqual({ factor: 6, width: 256, height: 256 });
    expect(fitWhole(square(100), square(64), 1.25).width * 1.25).toBe(64);
  });

  it('shrinks rather than hides when there is no room for one pixel each', () => {
    const fit = fitWhole(square(48), square(64), 1);
    expect(fit).toEqual({ factor: 0.75, width: 48, height: 48 });
  });

  it('keeps the aspect that the clip asks for', () => {
    const fit = fitWhole({ width: 280, height: 400 }, square(64), 1, 280 / 150);
    expect(fit.factor).toBe(2);
    expect(fit.width / fit.height).toBeCloseTo(280 / 150, 9);
  });
});
