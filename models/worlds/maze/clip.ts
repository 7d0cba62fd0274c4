/** An episode as a clip: drawn at a size, with its states and raw actions. */
import type { Clip } from '../../clip.ts';
import { ACTION_WIDTH } from './episode.ts';
import type { Episode } from './episode.ts';
import { mazeMap } from './maps.ts';
import { FRAMES_PER_SECOND } from './model.ts';
import { drawStates } from './render.ts';

/** @param source where it came from, in words. @throws invalid size */
export function mazeClip(episode: Episode, size: number, source: string): Clip {
  const { map, states, actions } = episode;
  const length = states.length / 4;
  return {
    length,
    pixels: { data: drawStates(mazeMap(map), size, states), height: size, width: size },
    latents: null,
    actions: { data: actions, rows: length, width: ACTION_WIDTH, scale: 'recorded' },
    states: { data: states, width: 4 },
    fps: FRAMES_PER_SECOND,
    aspect: 1,
    source,
  };
}
