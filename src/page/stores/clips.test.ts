import { describe, expect, it } from 'vitest';
import { createClips, episodeId, parseEpisode, putEntries } from './clips.ts';
import { createNotices } from './notices.ts';
import { failureOf, isAbort } from './sentence.ts';
import { aborted, invalid } from '../../../models/errors.ts';

const entry = (id: string, title = id) => ({ id, title, clip: null, failure: null });

describe('the name of an episode', () => {
  it('comes back', () => {
    expect(parseEpisode(episodeId({ map: 'umaze', seed: 1234 }))).toEqual({ map: 'umaze', seed: 1234 });
  });

  it.each([
    'maze-01',
    'maze:umaze',
    'maze:umaze:',
    'maze:umaze:-1',
    'maze:umaze:01',
    'maze:umaze:4294967296',
    'maze:../x:1',
  ])('is not %s', (id) => expect(parseEpisode(id)).toBeNull());
});

describe('the list of clips', () => {
  it('takes new ones at the top and changes known ones where they are', () => {
    const store = createClips();
    putEntries(store, [entry('a'), entry('b')]);
    putEntries(store, [entry('b', 'B'), entry('c')]);
    expect(store.getState().entries.map(({ title }) => title)).toEqual(['c', 'a', 'B']);
  });
});

describe('notices', () => {
  it('say the same thing once, and never more than three things', () => {
    const { store, say, dismiss } = createNotices();
    for (const sentence of ['a', 'b', 'a', 'c', 'd']) say('plain', sentence);
    expect(store.getState().map(({ sentence }) => sentence)).toEqual(['a', 'c', 'd']);
    dismiss(store.getState()[0]!.id);
    expect(store.getState()).toHaveLength(2);
  });
});

describe('failures', () => {
  it('become a sentence with a capital and a full stop', () => {
    expect(failureOf(invalid('steps', -3, 'give more')).sentence).toBe('Invalid steps: -3; give more.');
    expect(failureOf('broken').sentence).toBe('Broken.');
  });

  it('know what was asked for', () => {
    expect(isAbort(aborted('the run'))).toBe(true);
    expect(isAbort(new Error('x'))).toBe(false);
  });
});
