/** New episodes on demand, the same in a worker and in Node. */
import type { MainModule } from '@mujoco/mujoco';
import type { Clip } from '../../models/clip.ts';
import { mazeClip } from '../../models/worlds/maze/clip.ts';
import { SEEDS, makeEpisode } from '../../models/worlds/maze/episode.ts';
import { mazeMap } from '../../models/worlds/maze/maps.ts';
import { mazeView } from '../../models/worlds/maze/render.ts';
import type { EpisodeRequest } from '../protocol.ts';
import { createMaze } from './simulator.ts';

/**
 * The exploring episode that `request.seed` (0 to 2^32 - 1) stands for. It is none of those trained
 * on, tested on or shown: visitors' seeds are episode numbers of a seed of their own.
 * @throws unknown map, invalid size, invalid frames, invalid episode index
 */
export function liveEpisode(mujoco: MainModule, request: EpisodeRequest): Clip {
  const { map, seed, frames, size } = request;
  mazeView(mazeMap(map), size); // A wrong size is said before the simulation.
  const simulator = createMaze(mujoco, map);
  try {
    const episode = makeEpisode(simulator, { seed: SEEDS.live, index: seed, frames });
    return mazeClip(episode, size, `maze ${map}, episode ${seed}, simulated here by MuJoCo`);
  } finally {
    simulator.dispose();
  }
}
