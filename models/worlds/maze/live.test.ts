import { describe, expect, it } from 'vitest';
import { episodeId, parseEpisode } from './live.ts';

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
