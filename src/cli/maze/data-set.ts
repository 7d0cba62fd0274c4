/** A data set of maze episodes on disk: states.npy, actions.npy, meta.json and, streamed, frames.npy. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { seededNormals, seededRandom } from '../../../models/array/random.ts';
import { aborted, missing } from '../../../models/errors.ts';
import { readNpy, writeNpy } from '../../../models/files/npy.ts';
import { ACTION_WIDTH, FRAME_INTERVAL, makeEpisode } from '../../../models/worlds/maze/episode.ts';
import type { MazeSimulator, StartVelocity } from '../../../models/worlds/maze/episode.ts';
import { mazeMap } from '../../../models/worlds/maze/maps.ts';
import { actionStatistics } from '../../../models/worlds/maze/normalise.ts';
import { mazeRenderer } from '../../../models/worlds/maze/render.ts';

/** What meta.json holds. */
export interface DataSetMeta {
  readonly version: 1;
  readonly map: string;
  readonly seed: number;
  readonly start_velocity: StartVelocity;
  readonly episodes: number;
  /** Model frames in an episode. */
  readonly frames: number;
  /** Environment steps between frames. */
  readonly interval: number;
  /** Side of the frames in pixels, null when none were rendered. */
  readonly size: number | null;
  /** Of the raw 2-D actions of this set, see models/worlds/maze/normalise.ts. */
  readonly action_mean: readonly [number, number];
  readonly action_std: readonly [number, number];
}

export interface DataSet {
  readonly meta: DataSetMeta;
  /** [N, T, 4] */
  readonly states: Float64Array;
  /** [N, T, 10] raw */
  readonly actions: Float32Array;
}

export interface Watch {
  readonly stopped: { readonly aborted: boolean };
  progress(text: string): void;
}

/** Episodes 0 to N - 1 of `seed`. */
export function simulate(
  simulator: MazeSimulator,
  options: { episodes: number; frames: number; seed: number; startVelocity: StartVelocity },
  watch: Watch,
): DataSet {
  const { episodes, frames, seed, startVelocity } = options;
  const states = new Float64Array(episodes * frames * 4);
  const actions = new Float32Array(episodes * frames * ACTION_WIDTH);
  for (let index = 0; index < episodes; index++) {
    if (index % 1000 === 0) {
      if (watch.stopped.aborted) throw aborted('maze:data');
      watch.progress(`simulated ${index} of ${episodes} episodes`);
    }
    const episode = makeEpisode(simulator, { seed, index, frames, startVelocity });
    states.set(episode.states, index * frames * 4);
    actions.set(episode.actions, index * frames * ACTION_WIDTH);
  }
  const { mean, std } = actionStatistics(actions);
  const meta: DataSetMeta = {
    version: 1,
    map: simulator.map,
    seed,
    start_velocity: startVelocity,
    episodes,
    frames,
    interval: FRAME_INTERVAL,
    size: null,
    action_mean: mean,
    action_std: std,
  };
  return { meta, states, actions };
}

/** @throws missing file, invalid npy */
export function readDataSet(folder: string): DataSet {
  const read = (name: string): Uint8Array => {
    try {
      return new Uint8Array(readFileSync(join(folder, name)));
    } catch {
      throw missing('file', join(folder, name), 'make the data set first: npm run maze:data -- --out DIR');
    }
  };
  return {
    meta: JSON.parse(new TextDecoder().decode(read('meta.json'))) as DataSetMeta,
    states: readNpy(read('states.npy'), 'states.npy').data as Float64Array,
    actions: readNpy(read('actions.npy'), 'actions.npy').data as Float32Array,
  };
}

/** Stream of the seed that perturbations are drawn from: past any episode's own. */
const PERTURBATION_STREAM = 0xffffffff;

/**
 * The same episodes with the ball a little off after the first frame, as a predictor shows it that is
 * not perfect: `sigma` maze units typically, and each frame inherits part of the error of the one before.
 */
export function perturbed(set: DataSet, sigma: number): DataSet {
  const { episodes, frames, seed } = set.meta;
  const random = seededRandom(seed, PERTURBATION_STREAM);
  const normals = seededNormals(seed, PERTURBATION_STREAM);
  const states = set.states.slice();
  for (let episode = 0; episode < episodes; episode++) {
    const size = 2 * sigma * random();
    const inherited = 2 * random();
    let [x, y] = [0, 0];
    for (let frame = 1; frame < frames; frame++) {
      const [dx, dy] = normals(2);
      x = inherited * x + size * dx!;
      y = inherited * y + size * dy!;
      states[(episode * frames + frame) * 4] += x;
      states[(episode * frames + frame) * 4 + 1] += y;
    }
  }
  return { ...set, states };
}

/** Writes `set` to `folder`, with frames of `size` pixels unless it is null. Nothing half-written stays. */
export async function writeDataSet(
  folder: string,
  set: DataSet,
  size: number | null,
  watch: Watch,
): Promise<void> {
  const { episodes, frames } = set.meta;
  mkdirSync(folder, { recursive: true });
  const parts = ['states.npy', 'actions.npy', 'meta.json', ...(size === null ? [] : ['frames.npy'])];
  const partial = (name: string): string => join(folder, `${name}.partial`);
  try {
    if (size !== null) await writeFrames(partial('frames.npy'), set, size, watch);
    writeFileSync(
      partial('states.npy'),
      writeNpy({ dtype: 'float64', shape: [episodes, frames, 4], data: set.states }),
    );
    writeFileSync(
      partial('actions.npy'),
      writeNpy({ dtype: 'float32', shape: [episodes, frames, ACTION_WIDTH], data: set.actions }),
    );
    writeFileSync(partial('meta.json'), JSON.stringify({ ...set.meta, size }, null, 2) + '\n');
    for (const name of parts) renameSync(partial(name), join(folder, name));
  } finally {
    for (const name of parts) rmSync(partial(name), { force: true });
  }
}

/** frames.npy, uint8 [N, T, S, S, 3], a few megabytes at a time. */
async function writeFrames(path: string, set: DataSet, size: number, watch: Watch): Promise<void> {
  const { episodes, frames, map } = set.meta;
  const renderer = mazeRenderer(mazeMap(map), size);
  const bytesPerFrame = size * size * 3;
  const total = episodes * frames;
  const batch = Math.max(1, Math.floor(0x400000 / bytesPerFrame));
  const buffer = new Uint8Array(batch * bytesPerFrame);
  const file = await open(path, 'w');
  try {
    // An empty tensor's file is the header alone; the data follows.
    const header = {
      dtype: 'uint8',
      shape: [episodes, frames, size, size, 3],
      data: new Uint8Array(0),
    } as const;
    await file.writeFile(writeNpy(header));
    for (let first = 0; first < total; first += batch) {
      if (watch.stopped.aborted) throw aborted('maze:data');
      const count = Math.min(batch, total - first);
      for (let i = 0; i < count; i++) {
        const at = (first + i) * 4;
        const into = buffer.subarray(i * bytesPerFrame, (i + 1) * bytesPerFrame);
        renderer.draw(set.states[at]!, set.states[at + 1]!, into);
      }
      await file.writeFile(buffer.subarray(0, count * bytesPerFrame));
      watch.progress(`rendered ${first + count} of ${total} frames`);
    }
  } finally {
    await file.close();
  }
}
