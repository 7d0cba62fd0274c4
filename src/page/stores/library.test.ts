import { afterEach, expect, test, vi } from 'vitest';
import type { Engine } from '../engine/workers.ts';
import { createClips } from './clips.ts';
import { createLibrary } from './library.ts';

const INDEX = { version: 1, clips: [{ id: 'maze-01', title: 'Across', file: 'maze-01.npz' }] };

/** A library whose host has the list of clips, and no clip. */
function library(list: unknown = INDEX) {
  vi.stubGlobal('document', { baseURI: 'http://localhost/' });
  vi.stubGlobal('fetch', (url: URL | string) =>
    Promise.resolve(
      String(url).endsWith('index.json') && list !== null
        ? new Response(JSON.stringify(list), { headers: { 'content-type': 'application/json' } })
        : new Response('not here', { status: 404 }),
    ),
  );
  return createLibrary(createClips(), {} as Engine);
}

afterEach(() => vi.unstubAllGlobals());

test('a clip that the list does not name is unknown, whatever its name looks like', async () => {
  const { get } = library();
  await expect(get('maze-99', 64)).rejects.toThrow('unknown clip: maze-99; choose one from the list');
  await expect(get('mine', 64)).rejects.toThrow('unknown clip: mine; choose one from the list');
});

test('a clip of the list whose file does not come is missing, and so is any without a list', async () => {
  await expect(library().get('maze-01', 64)).rejects.toThrow(/^missing file: clips\/maze-01\.npz/);
  await expect(library(null).get('maze-99', 64)).rejects.toThrow(/^missing file: clips\/maze-99\.npz/);
});

test('a name that only looks like an episode’s is told how one is named', async () => {
  for (const id of ['maze:umaze:-1', 'maze:umaze:4294967296', 'maze:umaze'])
    await expect(library().get(id, 64)).rejects.toThrow(
      `unknown clip: ${id}; an episode is maze:MAP:NUMBER, with a number from 0 to 4294967295`,
    );
});
