import { describe, expect, it } from 'vitest';
import { createClips, putEntries } from './clips.ts';
import { createNotices } from './notices.ts';
import { failureOf, isAbort } from './sentence.ts';
import { aborted, invalid } from '../../../models/errors.ts';

const entry = (id: string, title = id) => ({ id, title, clip: null, failure: null });

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
