import { expect, test } from 'vitest';
import { createFitting } from './horizon.ts';

test('a shorter clip cuts the frames that are asked for, a longer one brings them back', () => {
  const fit = createFitting();
  const walk = [12, 4, 6, 4, 12, 20];
  let horizon = 12;
  expect(walk.map((most) => (horizon = fit(horizon, most)))).toEqual([12, 4, 6, 4, 12, 12]);
});

test('what was asked for since goes before what was cut', () => {
  const fit = createFitting();
  expect(fit(12, 6)).toBe(6);
  expect(fit(5, 12)).toBe(5);
  expect(fit(5, 12)).toBe(5);
});
