import { describe, expect, it, test } from 'vitest';
import { episodeId, parseEpisode, unseenMap, wrongEpisode } from './live.ts';

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

test('a name that only looks like an episode’s is refused with how one is named', () => {
  expect(wrongEpisode('maze:umaze:4294967296')?.message).toBe(
    'unknown clip: maze:umaze:4294967296; an episode is maze:MAP:NUMBER, with a number from 0 to 4294967295',
  );
  expect(wrongEpisode('maze:umaze')?.name).toBe('unknown');
  expect(['maze:umaze:4294967295', 'maze-01', 'clip.npz'].map(wrongEpisode)).toEqual([null, null, null]);
});

test('the embedded model knows one map; what others know is not said', () => {
  expect(unseenMap('maze', 'maze:medium:3')).toBe('medium');
  expect(unseenMap('maze', 'maze:umaze:3')).toBeNull();
  expect(unseenMap('maze', 'maze-01')).toBeNull();
  expect(unseenMap('local:mine', 'maze:medium:3')).toBeNull();
});
