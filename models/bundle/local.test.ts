import { describe, expect, it } from 'vitest';
import { freeId, localAddress, localFile, localId, localName } from './local.ts';

describe('bundles of this browser', () => {
  it('have names apart from those that are served', () => {
    expect(localId(localName('my-model'))).toBe('my-model');
    for (const other of ['maze', 'local:', 'local:../maze', 'local:A', 'xlocal:a'])
      expect(localId(other)).toBeNull();
  });

  it('have addresses against which the names of files resolve', () => {
    const address = new URL('window.onnx', localAddress('my-model')).href;
    expect(localFile(address)).toEqual({ id: 'my-model', file: 'window.onnx' });
    for (const other of ['https://a.org/b/c', 'local://bundles/a/', 'local://bundles/a/b/c', 'local://x/a/b'])
      expect(localFile(other)).toBeNull();
  });

  it('get a number when their id is taken', () => {
    expect(freeId('a', new Set())).toBe('a');
    expect(freeId('a', new Set(['a', 'a-2']))).toBe('a-3');
  });
});
