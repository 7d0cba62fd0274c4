import { expose, proxy, wrap } from 'comlink';
import { expect, test } from 'vitest';
import { aborted, invalid } from '../models/errors.ts';
import { buffersOf, handOver, withCallback } from './wire.ts';

test('every buffer inside a value is found once, however deep, and shared memory is left alone', () => {
  const pixels = new Uint8Array(12);
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  const value = {
    a: pixels,
    b: [{ c: pixels.subarray(3) }, null, 'text', 5],
    d: new Float32Array(2),
    shared,
  };
  expect(buffersOf(value)).toEqual([pixels.buffer, value.d.buffer]);
});

/** Two ends of a real channel, as a page and a worker have them. */
function ends<T>(api: object) {
  const { port1, port2 } = new MessageChannel();
  expose(api, port1 as never);
  return {
    remote: wrap<T>(port2 as never),
    close: () => {
      port1.close();
      port2.close();
    },
  };
}

interface Api {
  frames(): Promise<Uint8Array>;
  fail(how: string): Promise<void>;
  count(to: number, onNumber: (event: { n: number }) => void): Promise<string>;
}

test('frames are moved and not copied; names and sentences of errors cross', async () => {
  const frames = Uint8Array.from([1, 2, 3]);
  const { remote, close } = ends<Api>({
    frames: () => handOver(frames),
    fail: (how: string) =>
      Promise.reject(how === 'aborted' ? aborted('the run') : invalid('steps', -3, 'give 1')),
  });
  expect([...(await remote.frames())]).toEqual([1, 2, 3]);
  expect(frames.length).toBe(0);
  await expect(remote.fail('aborted')).rejects.toMatchObject({
    name: 'aborted',
    message: 'the run was cancelled',
  });
  await expect(remote.fail('')).rejects.toMatchObject({
    name: 'invalid',
    message: 'invalid steps: -3; give 1',
  });
  close();
});

test('all events arrive before the result, and a listener that fails does not fail the work', async () => {
  const { remote, close } = ends<Api>({
    count: (to: number, onNumber: (event: { n: number }) => void) =>
      withCallback(onNumber, async (tell) => {
        for (let i = 0; i < to; i++) tell({ n: i });
        return Promise.resolve('done');
      }),
  });
  const seen: number[] = [];
  const listener = proxy(({ n }: { n: number }) => {
    seen.push(n);
    if (n === 1) throw new Error('the page is broken');
  });
  expect(await remote.count(4, listener)).toBe('done');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(seen).toEqual([0, 1, 2, 3]);
  close();
});
