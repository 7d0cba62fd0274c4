import { expect, test } from 'vitest';
import { words } from './words.ts';

test('one step is a step', () => {
  expect(words.runNames('pyramid', 1, 0)).toBe('pyramid, 1 step');
  expect(words.runNames('lag', 1, 2)).toBe('lag 2, 1 step');
  expect(words.runNames('full_sequence', 8, 0)).toBe('full, 8 steps');
});
