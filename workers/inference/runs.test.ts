import { expect, test } from 'vitest';
import { createRuns } from './runs.ts';

test('a run hears of its own cancellation and of no other, also before it begins', async () => {
  const runs = createRuns();
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const waiting = (cancelled: () => boolean) => begun.then(() => cancelled());
  const a = runs.during('a', waiting);
  const b = runs.during('b', waiting);
  runs.cancel('a');
  runs.cancel('nobody');
  begin();
  expect(await Promise.all([a, b])).toEqual([true, false]);
});

test('a run that has ended, well or badly, takes its cancellation with it', async () => {
  const runs = createRuns();
  await expect(runs.during('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  runs.cancel('a');
  expect(await runs.during('a', (cancelled) => Promise.resolve(cancelled()))).toBe(false);
});
