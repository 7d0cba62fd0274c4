/** The diverging scale of the difference picture: zero is the page's neutral, each sign has its hue. */
import { fromLab, toLab } from './lab.ts';
import type { Lab, Rgb } from './lab.ts';
import type { Theme } from './runs.ts';

interface Scale {
  readonly less: Rgb;
  readonly zero: Rgb;
  readonly more: Rgb;
}

/** Blue where the prediction is darker than the truth, orange where it is lighter; both equally far from zero in lightness. */
export const DIFFERENCE_COLOURS: Readonly<Record<Theme, Scale>> = {
  light: { less: [10, 82, 190], zero: [244, 244, 244], more: [176, 66, 0] },
  dark: { less: [98, 172, 255], zero: [30, 30, 30], more: [255, 150, 66] },
};

/**
 * 511 colours as packed RGB bytes for differences -255 .. 255 (index = difference + 255).
 * @param gain how many times a difference is enlarged before it reaches the end of the scale; at least 1.
 */
export function differenceTable(theme: Theme, gain: number): Uint8ClampedArray {
  const table = new Uint8ClampedArray(511 * 3);
  const { less, zero, more } = DIFFERENCE_COLOURS[theme];
  const [from, down, up] = [toLab(zero), toLab(less), toLab(more)];
  for (let difference = -255; difference <= 255; difference++) {
    const share = Math.min(1, (Math.abs(difference) * gain) / 255);
    const rgb = share === 0 ? zero : fromLab(between(from, difference < 0 ? down : up, share));
    table.set(rgb, (difference + 255) * 3);
  }
  return table;
}

function between(from: Lab, to: Lab, share: number): Lab {
  return [0, 1, 2].map((i) => from[i]! + (to[i]! - from[i]!) * share) as unknown as Lab;
}
