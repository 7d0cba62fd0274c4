import { expect, test } from 'vitest';
import { pause } from './pause.ts';
import { createQueue } from './queue.ts';

test('tasks run one at a time, in the order in which they were asked for', async () => {
  const queue = createQueue();
  const seen: string[] = [];
  let running = 0;
  const task = (name: string, pauses: number) =>
    queue(async () => {
      expect(++running).toBe(1);
      seen.push(`${name} begins`);
      for (let i = 0; i < pauses; i++) await pause();
      seen.push(`${name} ends`);
      running--;
      return name;
    });
  expect(await Promise.all([task('a', 3), task('b', 0), task('c', 1)])).toEqual(['a', 'b', 'c']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('a task that fails rejects for its own caller, and those behind it still run', async () => {
  const queue = createQueue();
  const broken = queue(() => Promise.reject(new Error('broken')));
  const thrown = queue(() => {
    throw new Error('thrown at once');
  });
  const fine = queue(() => Promise.resolve(3));
  await expect(broken).rejects.toThrow('broken');
  await expect(thrown).rejects.toThrow('thrown at once');
  expect(await fine).toBe(3);
});

test('a pause lets a message that has arrived be handled first', async () => {
  const { port1, port2 } = new MessageChannel();
  const seen: string[] = [];
  port1.onmessage = () => seen.push('message');
  await pause();
  port2.postMessage(null);
  await pause();
  await pause();
  seen.push('after the pause');
  port1.close();
  expect(seen).toEqual(['message', 'after the pause']);
});
