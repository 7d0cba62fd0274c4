/** A data set of maze episodes on disk: states.npy, actions.npy, meta.json and, streamed, frames.npy. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { seededNormals, seededRandom } from '../../../models/array/random.ts';
import * as v from 'valibot';
import type { Dtype } from '../../../models/array/tensor.ts';
import { aborted, invalid, missing } from '../../../models/errors.ts';
import { parseJson } from '../../../models/files/json.ts';
import { readNpy, writeNpy } from '../../../models/files/npy.ts';
import { ACTION_WIDTH, FRAME_INTERVAL, makeEpisode } from '../../../models/worlds/maze/episode.ts';
import type { MazeSimulator, StartVelocity } from '../../../models/worlds/maze/episode.ts';
import { MAZE_NAMES, mazeMap } from '../../../models/worlds/maze/maps.ts';
import { actionStatistics } from '../../../models/worlds/maze/normalise.ts';
import { mazeRenderer } from '../../../models/worlds/maze/render.ts';
import { oneOf, parseWith, whole } from '../../../models/schema.ts';
import { outputFolder } from '../files.ts';

/** Frames in a set: a gigabyte of states and actions in memory. */
export const MOST_FRAMES = 10_000_000;
const REMEDY = 'make the data set first: npm run maze:data -- --out DIR';
const finiteNumber = v.pipe(v.number(), v.finite());
const pair = v.pipe(v.tuple([finiteNumber, finiteNumber]), v.readonly());

const metaSchema = v.object({
  version: v.literal(1, 'only version 1 is known'),
  map: oneOf(MAZE_NAMES),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
  start_velocity: oneOf(['rest', 'random']),
  episodes: whole(1, MOST_FRAMES),
  /** Model frames in an episode. */
  frames: whole(1, MOST_FRAMES),
  /** Environment steps between frames. */
  interval: whole(1, 1000),
  /** Side of the frames in pixels, null when none were rendered. */
  size: v.nullable(whole(1, 65_536)),
  /** Of the raw 2-D actions of this set, see models/worlds/maze/normalise.ts. */
  action_mean: pair,
  action_std: pair,
});

/** What meta.json holds. */
export type DataSetMeta = Readonly<v.InferOutput<typeof metaSchema>>;

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

export interface SetOptions {
  readonly episodes: number;
  readonly frames: number;
  readonly seed: number;
  readonly startVelocity: StartVelocity;
}

/** Episodes 0 to N - 1 of `seed`. @throws aborted, and one sentence for more frames than fit in memory */
export async function simulate(
  simulator: MazeSimulator,
  options: SetOptions,
  watch: Watch,
): Promise<DataSet> {
  const { episodes, frames, seed, startVelocity } = options;
  if (episodes * frames > MOST_FRAMES) {
    throw invalid(
      '--episodes',
      episodes,
      `with ${frames} frames each; make at most ${MOST_FRAMES} frames in all`,
    );
  }
  const states = new Float64Array(episodes * frames * 4);
  const actions = new Float32Array(episodes * frames * ACTION_WIDTH);
  for (let index = 0; index < episodes; index++) {
    if (index % 100 === 0) {
      await new Promise((resolve) => setImmediate(resolve)); // Lets Ctrl-C in.
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

/** @throws one sentence about the file that is missing or wrong */
export function readDataSet(folder: string): DataSet {
  const read = (name: string): Uint8Array => {
    try {
      return new Uint8Array(readFileSync(join(folder, name)));
    } catch {
      throw missing('file', join(folder, name), REMEDY);
    }
  };
  const path = join(folder, 'meta.json');
  const meta = parseWith(
    metaSchema,
    parseJson(new TextDecoder().decode(read('meta.json')), path),
    'data set',
    `correct ${path}`,
  );
  const array = (name: string, dtype: Dtype, width: number) => {
    const tensor = readNpy(read(name), join(folder, name));
    const wanted = [meta.episodes, meta.frames, width];
    if (tensor.dtype === dtype && tensor.shape.join() === wanted.join()) return tensor.data;
    const found = `${tensor.dtype} [${tensor.shape.join(', ')}] in ${join(folder, name)}`;
    throw invalid('array', found, `meta.json says ${dtype} [${wanted.join(', ')}]; ${REMEDY}`);
  };
  return {
    meta,
    states: array('states.npy', 'float64', 4) as Float64Array,
    actions: array('actions.npy', 'float32', ACTION_WIDTH) as Float32Array,
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
  await outputFolder(folder);
  const parts = ['states.npy', 'actions.npy', 'meta.json', ...(size === null ? [] : ['frames.npy'])];
  // By process: another one may be writing the same set.
  const partial = (name: string): string => join(folder, `${name}.partial-${process.pid}`);
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
