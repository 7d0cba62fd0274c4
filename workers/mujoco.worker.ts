/** The worker that holds MuJoCo. */
import { expose, transfer } from 'comlink';
import { mujocoInBrowser } from './mujoco/load.ts';
import { liveEpisode } from './mujoco/live.ts';
import type { MujocoWorker } from './protocol.ts';

const worker: MujocoWorker = {
  async episode(request) {
    const clip = liveEpisode(await mujocoInBrowser(), request);
    return transfer(clip, clip.pixels ? [clip.pixels.data.buffer] : []);
  },
};

expose(worker);
