import { expect, test } from 'vitest';
import { invalid } from './errors.ts';

test('a sentence names the value and what to do', () => {
  expect(invalid('steps', -3, 'give more')).toMatchObject({
    name: 'invalid',
    message: 'invalid steps: -3; give more',
  });
});

test('an empty value can be seen, a long one is cut, and none breaks the line or steers a terminal', () => {
  expect(invalid('mode', '', 'use lag').message).toBe("invalid mode: ''; use lag");
  expect(invalid('file', 'x'.repeat(500), 'cut').message).toBe(`invalid file: ${'x'.repeat(117)}...; cut`);
  expect(invalid('file', 'a\nb\u001b[31m', 'rename it').message).toBe('invalid file: a b [31m; rename it');
});
