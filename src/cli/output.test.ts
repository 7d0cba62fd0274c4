import { expect, test } from 'vitest';
import { table } from './output.ts';

test('a table aligns its columns, whatever the names in it hold', () => {
  const rows = [
    ['long name', '1'],
    ['\u001b[31mred\n', '22'],
  ];
  expect(table(['name', 'n'], rows)).toBe('name        n\n---------  --\nlong name   1\n?[31mred?  22');
});
