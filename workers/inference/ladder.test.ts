import { expect, test } from 'vitest';
import { invalid } from '../../models/errors.ts';
import { climb } from './ladder.ts';

test('the first rung that works is taken, and each rung left before it has a sentence', async () => {
  const tried: string[] = [];
  const climbed = await climb(['webgpu', 'wasm', 'replay'], (rung) => {
    tried.push(rung);
    return rung === 'webgpu'
      ? Promise.reject(new Error('no adapter\n  at somewhere'))
      : Promise.resolve(rung.length);
  });
  expect(climbed).toEqual({ rung: 'wasm', value: 4, fallbacks: ['No adapter.'] });
  expect(tried).toEqual(['webgpu', 'wasm']);
});

test('a runtime that throws a bare number is left with words', async () => {
  const { fallbacks } = await climb([1, 2], (rung) =>
    rung === 1 ? Promise.reject(52_341_296) : Promise.resolve(null),
  );
  expect(fallbacks).toEqual(['The runtime stopped with its error 52341296.']);
});

test('when no rung works, the reason of the last one is thrown as it is', async () => {
  const failure = invalid('graph', 'window.onnx', 'build it again');
  const attempt = (rung: number) => Promise.reject(rung === 2 ? failure : new Error('first'));
  await expect(climb([1, 2], attempt)).rejects.toBe(failure);
});
