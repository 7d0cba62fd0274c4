import { expect, test } from 'vitest';
import { aborted, missing } from '../../models/errors.ts';
import { inWords } from './words.ts';

test('our own errors pass unchanged, also after comlink has taken their class away', () => {
  const own = missing('weight', 'a.b', 'build it again');
  expect(inWords(own, 'graph', 'x')).toBe(own);
  const plain = Object.assign(new Error('run was cancelled'), { name: aborted('run').name });
  expect(inWords(plain, 'graph', 'x')).toBe(plain);
});

test('a bare number, a stack of lines and silence all become one sentence with a remedy', () => {
  for (const thrown of [3141592, new Error('failed to load model\n at a.cc:12'), new Error(''), 'text']) {
    const { name, message } = inWords(thrown, 'graph window.onnx on WASM', 'try the other backend');
    expect(name).toBe('unsupported');
    expect(message).toMatch(/^unsupported graph window\.onnx on WASM: .+; try the other backend$/);
    expect(message).not.toContain('\n');
  }
});

test('running out of memory has its own remedy', () => {
  const { message } = inWords(new Error('std::bad_alloc'), 'graph', 'try the other backend');
  expect(message).toContain('not enough memory');
});
