/** How a colour looks to others: contrast on a ground (WCAG 2), and the three dichromacies (Machado et al. 2009, severity 1). */
import { fromLinear, toLinear } from './lab.ts';
import type { Rgb } from './lab.ts';

export type Deficiency = 'protan' | 'deutan' | 'tritan';

/** Rows act on linear sRGB. */
const MATRICES: Record<Deficiency, readonly (readonly [number, number, number])[]> = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

export function asSeenBy(deficiency: Deficiency, colour: Rgb): Rgb {
  const [r, g, b] = colour.map(toLinear) as [number, number, number];
  return MATRICES[deficiency].map(([x, y, z]) =>
    fromLinear(Math.min(1, Math.max(0, x * r + y * g + z * b))),
  ) as unknown as Rgb;
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(first: Rgb, second: Rgb): number {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}
