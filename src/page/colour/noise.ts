/**
 * The one scale for a noise level: dark violet is pure noise, pale yellow is clean.
 *
 * Built in CIELAB: lightness rises in a straight line, hue turns one way, chroma rises and falls.
 * So equal steps of the level look equal, and the scale still reads in grey and to the colour-blind.
 */
import { fromLab } from './lab.ts';
import type { Rgb } from './lab.ts';

/** Lightness at pure noise and at clean (CIELAB L*, 0..100). */
const DARKEST = 15;
const PALEST = 95;

/** Chroma and hue (degrees) at evenly spaced stations from noise to clean; chosen inside the sRGB gamut. */
const STATIONS: readonly (readonly [chroma: number, hue: number])[] = [
  [42, 312],
  [50, 328],
  [50, 354],
  [50, 390],
  [49, 427],
  [31, 461],
];

/** @param clean 0 for pure noise, 1 for clean; values outside are clamped. */
export function noiseColour(clean: number): Rgb {
  const t = Math.min(1, Math.max(0, clean));
  const place = t * (STATIONS.length - 1);
  const index = Math.min(STATIONS.length - 2, Math.floor(place));
  const share = place - index;
  const [chroma, hue] = [0, 1].map((part) => {
    const points = [-1, 0, 1, 2].map((step) => station(index + step)[part]!);
    return spline(points as [number, number, number, number], share);
  }) as [number, number];
  const lightness = DARKEST + (PALEST - DARKEST) * t;
  return inGamut(lightness, chroma, (hue * Math.PI) / 180);
}

/** Level index (0 clean .. steps pure noise) to its place on the scale. */
export function levelColour(level: number, steps: number): Rgb {
  return noiseColour(1 - level / steps);
}

export function css([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

function station(index: number): readonly [number, number] {
  return STATIONS[Math.min(STATIONS.length - 1, Math.max(0, index))]!;
}

/** Catmull-Rom through the two middle points, so that the scale has no kinks. */
function spline([before, from, to, after]: [number, number, number, number], t: number): number {
  const bend = 2 * before - 5 * from + 4 * to - after;
  const twist = 3 * (from - to) + after - before;
  return from + 0.5 * t * (to - before + t * (bend + t * twist));
}

/** Takes chroma away until the colour exists on an sRGB screen; lightness and hue stay. */
function inGamut(lightness: number, chroma: number, hue: number): Rgb {
  for (let c = chroma; c >= 0; c -= 0.5) {
    const rgb = fromLab([lightness, c * Math.cos(hue), c * Math.sin(hue)]);
    if (rgb.every((channel) => channel >= -0.5 && channel <= 255.5)) return rgb.map(byte) as unknown as Rgb;
  }
  return fromLab([lightness, 0, 0]).map(byte) as unknown as Rgb;
}

function byte(channel: number): number {
  return Math.min(255, Math.max(0, Math.round(channel)));
}
