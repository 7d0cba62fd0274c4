import { describe, expect, it } from 'vitest';
import { distance } from './lab.ts';
import type { Rgb } from './lab.ts';
import { RUN_COLOURS, runColour } from './runs.ts';
import type { Theme } from './runs.ts';
import { asSeenBy, contrast } from './vision.ts';

const GROUND: Record<Theme, Rgb> = { light: [255, 255, 255], dark: [30, 30, 30] };

describe.each<Theme>(['light', 'dark'])('run colours on the %s page', (theme) => {
  const colours = RUN_COLOURS[theme];

  it('are eight, each at least 3 : 1 against the ground', () => {
    expect(colours).toHaveLength(8);
    for (const colour of colours) expect(contrast(colour, GROUND[theme])).toBeGreaterThanOrEqual(3);
  });

  it('differ clearly, for everybody', () => {
    const eyes: ((colour: Rgb) => Rgb)[] = [
      (colour) => colour,
      (colour) => asSeenBy('protan', colour),
      (colour) => asSeenBy('deutan', colour),
      (colour) => asSeenBy('tritan', colour),
    ];
    for (const see of eyes)
      for (const [i, first] of colours.entries())
        for (const second of colours.slice(i + 1))
          expect(distance(see(first), see(second))).toBeGreaterThan(15);
  });

  it('start over after the eighth', () => {
    expect(runColour(8, theme)).toEqual(runColour(0, theme));
  });
});
