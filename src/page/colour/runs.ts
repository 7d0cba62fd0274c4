/** Fixed colours of runs by their order, the same in the list and in the chart; the ninth run starts over. */
import type { Rgb } from './lab.ts';

export type Theme = 'light' | 'dark';

/** Told apart in all three dichromacies and at least 3 : 1 against the page (see runs.test.ts). Red is left to errors. */
export const RUN_COLOURS: Readonly<Record<Theme, readonly Rgb[]>> = {
  light: [
    [182, 88, 0],
    [84, 46, 178],
    [16, 108, 92],
    [204, 98, 174],
    [36, 42, 62],
    [84, 140, 236],
    [142, 142, 66],
    [84, 30, 14],
  ],
  dark: [
    [245, 165, 50],
    [122, 104, 238],
    [104, 172, 140],
    [204, 80, 160],
    [214, 240, 246],
    [66, 180, 250],
    [238, 230, 150],
    [156, 110, 52],
  ],
};

/** @param order 0 for the session's first run; -1 is the recorded run, drawn in the page's grey. */
export function runColour(order: number, theme: Theme): Rgb {
  if (order < 0) return theme === 'light' ? [110, 110, 110] : [150, 150, 150];
  const colours = RUN_COLOURS[theme];
  return colours[order % colours.length]!;
}
