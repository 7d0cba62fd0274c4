/**
 * Episodes of the maze: where they start, what they hold. The physics is passed in.
 *
 * Every episode is a function of (map, seed, index): its generator starts from the one number
 * seed * 2^32 + index, which no other pair gives, and the generator turns different numbers into
 * different states. Data sets with different seeds therefore share no episode. The project's own
 * seeds are reserved in SEEDS.
 */
import { seededRandom } from '../../array/random.ts';
import { invalid, unknown } from '../../errors.ts';
import { explorer } from './actions.ts';
import { isClear, mazeMap } from './maps.ts';
import type { MazeMap, MazeName } from './maps.ts';
import { START_VELOCITY_LIMIT } from './model.ts';

/**
 * Reserved seeds, one per use, so that what is trained on is never tested on or shown. `live` holds
 * what visitors make: the number they choose is the episode's index.
 */
export const SEEDS = { train: 1, validation: 2, test: 3, gallery: 4, live: 5 } as const;

/** Environment steps between two frames. */
export const FRAME_INTERVAL = 5;
/** Width of a model action: five 2-D actions in a row. */
export const ACTION_WIDTH = 2 * FRAME_INTERVAL;

/** Position (qpos x, y) and velocity (qvel x, y); world position is 1.2 + qpos. */
export type MazeState = readonly [x: number, y: number, vx: number, vy: number];

export interface MazeSimulator {
  readonly map: MazeName;
  reset(state: MazeState): void;
  /** One environment step of 0.05 s with the 2-D action. */
  step(actionX: number, actionY: number): void;
  state(): MazeState;
}

export interface EpisodeOptions {
  /** Whole number from 0 to 2097151 (2^21 - 1). */
  readonly seed: number;
  /** Number of the episode within its seed, from 0 to 2^32 - 1. */
  readonly index: number;
  /** Model frames, the first one included: 1 to 1000. */
  readonly frames: number;
  /**
   * `rest` (the default): the first frame alone says all that the future depends on.
   * `random`: within +-5.2262554 on both axes, as in the original data.
   */
  readonly startVelocity?: StartVelocity;
}
export type StartVelocity = 'rest' | 'random';

export interface Episode {
  readonly map: MazeName;
  /** [T, 4] at the frames. */
  readonly states: Float64Array;
  /** [T, 10] raw: row f holds the five 2-D actions applied from frame f to frame f + 1 (the last row, past the end). */
  readonly actions: Float32Array;
}

/**
 * Makes one exploring episode on `simulator`, which it resets.
 * @throws invalid frames, invalid seed, invalid episode index, unknown start velocity
 */
export function makeEpisode(simulator: MazeSimulator, options: EpisodeOptions): Episode {
  const { seed, index, frames, startVelocity = 'rest' } = options;
  if (!Number.isInteger(frames) || frames < 1 || frames > 1000) {
    throw invalid('frames', frames, 'give a whole number from 1 to 1000');
  }
  const random = seededRandom(episodeSeed(seed, index));
  simulator.reset(startState(mazeMap(simulator.map), random, startVelocity));
  const policy = explorer(random);
  const states = new Float64Array(frames * 4);
  const actions = new Float32Array(frames * ACTION_WIDTH);
  for (let frame = 0; frame < frames; frame++) {
    let state = simulator.state();
    states.set(state, frame * 4);
    for (let step = 0; step < FRAME_INTERVAL; step++) {
      const action = policy(state);
      actions.set(action, frame * ACTION_WIDTH + 2 * step);
      simulator.step(action[0], action[1]);
      state = simulator.state();
    }
  }
  return { map: simulator.map, states, actions };
}

/**
 * The one number that the random numbers of episode `index` of `seed` start from.
 * @throws invalid seed, invalid episode index
 */
export function episodeSeed(seed: number, index: number): number {
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 21) {
    throw invalid('seed', seed, 'give a whole number from 0 to 2097151');
  }
  if (!Number.isInteger(index) || index < 0 || index >= 2 ** 32) {
    throw invalid('episode index', index, 'give a whole number from 0 to 4294967295');
  }
  return seed * 2 ** 32 + index;
}

/** A uniform position at which the drawn ball is clear of the walls, and the velocity asked for. */
export function startState(map: MazeMap, random: () => number, velocity: StartVelocity): MazeState {
  if (velocity !== 'rest' && velocity !== 'random') {
    throw unknown('start velocity', velocity, 'use rest or random');
  }
  for (;;) {
    const x = random() * map.width - 0.7; // qpos: the map begins at world 0.5, the ball's origin is 1.2
    const y = random() * map.height - 0.7;
    if (!isClear(map, x, y)) continue;
    if (velocity === 'rest') return [x, y, 0, 0];
    return [x, y, (2 * random() - 1) * START_VELOCITY_LIMIT, (2 * random() - 1) * START_VELOCITY_LIMIT];
  }
}
