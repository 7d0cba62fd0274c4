import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundleFolder, clipSource, readAsked, runtimeOf } from './asked.ts';

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'asked-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'spec.json');
  writeFileSync(path, text);
  return path;
}

describe('what a rollout is asked for', () => {
  it('is nothing without a spec, a file of JSON, or a link of the page from its # on', async () => {
    expect(await readAsked(undefined)).toEqual({});
    expect(await readAsked(fileWith('{"seed": 7}'))).toEqual({ seed: 7 });
    const run = { clip: 'maze-03', sampler: { mode: 'pyramid', steps: 4 } };
    expect(await readAsked('#clip=maze-03&mode=pyramid&steps=4')).toEqual(run);
    expect(await readAsked('https://example.org/a/?x=1#clip=maze-03&mode=pyramid&steps=4&frame=2')).toEqual(
      run,
    );
    expect(await readAsked('https://example.org/')).toEqual({});
  });

  it('is the spec of a result, when the file is one', async () => {
    const result = { version: 1, spec: { seed: 9, clip: 'maze-02' }, networkCalls: 24 };
    expect(await readAsked(fileWith(JSON.stringify(result)))).toEqual({ seed: 9, clip: 'maze-02' });
  });

  it.each([
    ['#steps=abc', 'invalid steps in the link: abc; give a number'],
    ['https://example.org/#stepz=4', 'unknown part of the link: stepz; remove it'],
    ['#clip=%E0%A4%A', 'invalid link: %E0%A4%A; it is damaged; copy the whole link again'],
    ['nowhere.json', 'missing file: nowhere.json; give the path of an existing file'],
  ])('is refused in one sentence when it is %s', async (spec, sentence) => {
    await expect(readAsked(spec)).rejects.toThrow(sentence);
  });

  it('is refused when the file holds no object', async () => {
    await expect(readAsked(fileWith('[1]'))).rejects.toThrow(
      /^invalid run spec: .*; it is not a JSON object/,
    );
    await expect(readAsked(fileWith('{'))).rejects.toThrow(/^invalid JSON[^\n]*$/);
  });
});

describe('a spec names', () => {
  it('the bundle, unless the command line does', () => {
    expect(bundleFolder('mine', { bundle: 'maze' })).toBe('mine');
    expect(bundleFolder(undefined, {})).toMatch(/public.bundles.maze$/);
    expect(bundleFolder(undefined, { bundle: 'maze' })).toBe(bundleFolder(undefined, {}));
  });

  it('the clip, by its id or by a path, unless the command line does', () => {
    expect(clipSource('mine.npz', { clip: 'maze-03' })).toEqual({ path: 'mine.npz', name: 'mine.npz' });
    const served = clipSource(undefined, { clip: 'maze-03' });
    expect([served.name, 'path' in served && existsSync(served.path)]).toEqual(['maze-03', true]);
    expect(clipSource('maze-03', {})).toEqual(served);
    expect(clipSource(undefined, {}).name).toBe('maze-01');
    const path = fileWith('');
    expect(clipSource(undefined, { clip: path })).toEqual({ path, name: path });
  });

  it('or an episode to simulate, as the page names it in its address', () => {
    const name = 'maze:umaze:7';
    const episode = { map: 'umaze', seed: 7 };
    expect(clipSource(undefined, { clip: name })).toEqual({ name, episode });
    expect(clipSource(name, { clip: 'maze-03' })).toEqual({ name, episode });
  });

  it('the runtime, where Node has it', () => {
    expect(['wasm', 'node', 'auto', undefined].map((backend) => runtimeOf({ backend }))).toEqual([
      'wasm',
      'node',
      'auto',
      'auto',
    ]);
  });

  it.each<[() => unknown, string]>([
    [() => bundleFolder(undefined, { bundle: 'nobody' }), 'unknown bundle: nobody; the spec names it; give'],
    [() => bundleFolder(undefined, { bundle: '../clips' }), 'unknown bundle: ../clips'],
    [
      () => clipSource(undefined, { clip: 'maze-99' }),
      'unknown clip: maze-99; the spec names it; give its file',
    ],
    ...['maze:umaze:4294967296', 'maze:umaze', 'maze:umaze:-1'].map((name): [() => unknown, string] => [
      () => clipSource(name, {}),
      `unknown clip: ${name}; an episode is maze:MAP:NUMBER, with a number from 0 to 4294967295`,
    ]),
    [() => clipSource(undefined, { clip: '../../package' }), 'unknown clip: ../../package'],
    [
      () => runtimeOf({ backend: 'webgpu' }),
      'unsupported backend: webgpu; the command line has node and wasm',
    ],
  ])('what is not there, and is refused: %s', (find, sentence) => {
    expect(find).toThrow(sentence);
  });
});
