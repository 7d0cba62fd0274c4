import { expect, test } from 'vitest';
import { meter } from './meter.ts';

test('a meter tells bytes, and once it has an idea speed and time left', () => {
  let now = 0;
  const lines: string[] = [];
  const { add, set } = meter(
    'reading',
    100 * 2 ** 20,
    () => now,
    (line) => lines.push(line),
  );
  const at = (seconds: number) => ((now = seconds), add(10 * 2 ** 20));
  for (const seconds of [0.1, 0.15, 1, 2]) at(seconds);
  expect(lines).toEqual([
    'reading 10.0 MB of 100.0 MB',
    'reading 30.0 MB of 100.0 MB, 30.0 MB/s, 3 s left',
    'reading 40.0 MB of 100.0 MB, 20.0 MB/s, 3 s left',
  ]);
  now = 4;
  set(200 * 2 ** 20, 200 * 2 ** 20);
  expect(lines.at(-1)).toBe('reading 200.0 MB of 200.0 MB, 50.0 MB/s, 0 s left');
});
