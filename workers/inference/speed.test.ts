import { expect, test } from 'vitest';
import { exampleManifest } from '../../models/testing/manifest.ts';
import type { GraphSession } from '../session.ts';
import { faultOf, median, settled, warmUp, warmUpFeeds } from './speed.ts';

/** A session that takes `seconds` a call by a clock that only it moves. */
function slow(seconds: number) {
  let time = 0;
  let calls = 0;
  const session: GraphSession = {
    inputs: [],
    outputs: ['output'],
    runtime: 'a clock',
    run: () => {
      calls++;
      time += 1000 * seconds;
      return Promise.resolve({ output: { dtype: 'float32', shape: [1], data: Float32Array.of(1) } });
    },
    release: () => Promise.resolve(),
  };
  return { session, now: () => time, calls: () => calls };
}

test('a quick graph is timed five times, a slow one once, after a call that compiles it', async () => {
  const quick = slow(0.01);
  expect(await warmUp(quick.session, {}, 'window.onnx', quick.now)).toBeCloseTo(0.01, 10);
  expect(quick.calls()).toBe(6);
  const long = slow(3);
  expect(await warmUp(long.session, {}, 'window.onnx', long.now)).toBeCloseTo(3, 10);
  expect(long.calls()).toBe(2);
});

test('a quick graph is timed again when all have been run, and what it took less then counts; a slow one is not', async () => {
  const quick = slow(0.01);
  expect(await settled(quick.session, {}, 0.04, quick.now)).toBeCloseTo(0.01, 10);
  expect(quick.calls()).toBe(3);
  expect(await settled(quick.session, {}, 0.002, quick.now)).toBe(0.002);
  const long = slow(1);
  expect(await settled(long.session, {}, 3, long.now)).toBe(3);
  expect(long.calls()).toBe(0);
});

test('the median is the middle one, or the mean of the two in the middle', () => {
  expect(median([5, 1, 30])).toBe(5);
  expect(median([4, 1, 2, 100])).toBe(3);
});

test('one value that is not finite is a fault; a single value that is not zero is life', () => {
  expect(faultOf({ data: Float32Array.of(1, NaN) })).toContain('not finite');
  expect(faultOf({ data: Float32Array.of(1, -Infinity) })).toContain('not finite');
  expect(faultOf({ data: new Float32Array(3) })).toContain('zeros');
  expect(faultOf({ data: Float32Array.of(0, 0, 1e-9) })).toBeNull();
});

test('the inputs of the first run have the shapes that the manifest states', () => {
  const { window, encode, decode } = warmUpFeeds(exampleManifest());
  expect(window['x']!.shape).toEqual([1, 4, 4, 8, 8]);
  expect(window['timesteps']!.data).toEqual(new Float32Array(4).fill(500));
  expect(window['actions']!.shape).toEqual([1, 4, 10]);
  expect(encode['pixels']!.shape).toEqual([1, 3, 64, 64]);
  expect(decode['latents']!.shape).toEqual([1, 4, 8, 8]);
});
