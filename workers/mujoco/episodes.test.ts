/** The exploring episodes on the real physics: what training sees. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { MainModule } from '@mujoco/mujoco';
import { SEEDS, makeEpisode } from '../../models/worlds/maze/episode.ts';
import type { StartVelocity } from '../../models/worlds/maze/episode.ts';
import { pickEpisodes, traceEpisode } from '../../models/worlds/maze/gallery.ts';
import { MAZE_NAMES, isClear, mazeMap } from '../../models/worlds/maze/maps.ts';
import { mazeRenderer } from '../../models/worlds/maze/render.ts';
import { mujocoInNode } from '../node/mujoco.ts';
import { liveEpisode } from './live.ts';
import { createMaze } from './simulator.ts';
import type { MujocoMaze } from './simulator.ts';

let mujoco: MainModule;
let maze: MujocoMaze;
beforeAll(async () => {
  mujoco = await mujocoInNode();
  maze = createMaze(mujoco, 'umaze');
  return () => maze.dispose();
});

const episodes = (count: number, seed = 77, startVelocity: StartVelocity = 'rest') =>
  Array.from({ length: count }, (_, index) => makeEpisode(maze, { seed, index, frames: 4, startVelocity }));

describe('exploring episodes', () => {
  it.each(MAZE_NAMES)('start at rest where the drawn ball is clear of the walls of %s', (name) => {
    const map = mazeMap(name);
    const other = createMaze(mujoco, name);
    for (let index = 0; index < 50; index++) {
      const { states } = makeEpisode(other, { seed: 77, index, frames: 1 });
      expect(isClear(map, states[0], states[1])).toBe(true);
      expect([...states.subarray(2)]).toEqual([0, 0]);
    }
    other.dispose();
  });

  it('are reproduced by the recorded actions from the recorded start', () => {
    for (const episode of episodes(20)) {
      const { states } = traceEpisode(maze, episode);
      for (let frame = 0; frame < 4; frame++) {
        expect([...states[frame * 5]]).toEqual([...episode.states.subarray(frame * 4, frame * 4 + 4)]);
      }
    }
  });

  it('are the same every time, and another for another seed or number', () => {
    const make = (seed: number, index: number) => makeEpisode(maze, { seed, index, frames: 4 });
    expect(make(1, 7)).toEqual(make(1, 7));
    expect(make(1, 7).states).not.toEqual(make(2, 7).states);
    expect(make(1, 7).states).not.toEqual(make(1, 8).states);
  });

  it('share no start between the reserved seeds', () => {
    const starts = Object.values(SEEDS).flatMap((seed) =>
      Array.from({ length: 100 }, (_, index) => makeEpisode(maze, { seed, index, frames: 1 }).states.join()),
    );
    expect(new Set(starts).size).toBe(starts.length);
  });

  it('reach the velocity limit, rest, stay in the corridors and press against walls', () => {
    const all = episodes(500).map((episode) => traceEpisode(maze, episode).states);
    const states = all.flat();
    const fastest = Math.max(...states.map(([, , vx, vy]) => Math.max(Math.abs(vx), Math.abs(vy))));
    // Velocities are clipped before a step; a step adds at most 1.19, and walls push back a little more.
    expect(fastest).toBeGreaterThan(5);
    expect(fastest).toBeLessThan(6.6);
    const ends = all.map((trace) => trace[trace.length - 1]);
    expect(ends.filter(([, , vx, vy]) => Math.hypot(vx, vy) < 0.15).length).toBeGreaterThan(10);
    for (const [x, y] of states) expect(isClear(mazeMap('umaze'), x, y, 0)).toBe(true);
    expect(states.filter(([x, y]) => !isClear(mazeMap('umaze'), x, y, 0.1)).length).toBeGreaterThan(50);
  });

  it('hold actions constant for a while, within one, and sometimes give none', () => {
    const rows = episodes(300).flatMap(({ actions }) =>
      Array.from({ length: actions.length / 2 }, (_, i) => [actions[2 * i], actions[2 * i + 1]]),
    );
    expect(Math.max(...rows.flat().map(Math.abs))).toBe(1);
    const held = rows.filter(([x, y], i) => i > 0 && x === rows[i - 1][0] && y === rows[i - 1][1]);
    expect(held.length / rows.length).toBeGreaterThan(0.6);
    expect(held.length / rows.length).toBeLessThan(0.95);
    const idle = rows.filter(([x, y]) => x === 0 && y === 0).length / rows.length;
    expect(idle).toBeGreaterThan(0.01);
    expect(idle).toBeLessThan(0.2);
    // No direction is preferred: the mean of 6000 actions that change every six steps or so.
    for (const axis of [0, 1]) {
      expect(Math.abs(rows.reduce((sum, row) => sum + row[axis], 0) / rows.length)).toBeLessThan(0.06);
    }
  });

  it('bounce: a push into a wall is turned round', () => {
    let bounces = 0;
    for (const episode of episodes(200)) {
      const { states, actions } = traceEpisode(maze, episode);
      actions.slice(1).forEach(([x, y], t) => {
        const [before, now] = [actions[t], [x, y]];
        const same = [0, 1].every((axis) => Math.abs(before[axis]) === Math.abs(now[axis]));
        const turned = same && (before[0] !== x || before[1] !== y);
        if (!turned) return;
        bounces++;
        const [px, py] = states[t + 1];
        expect(isClear(mazeMap('umaze'), px, py, 0.15)).toBe(false);
      });
    }
    expect(bounces).toBeGreaterThan(20);
  });

  it('start with any velocity within the published limit when asked to', () => {
    const speeds = episodes(200, 77, 'random').flatMap(({ states }) => [
      Math.abs(states[2]),
      Math.abs(states[3]),
    ]);
    expect(Math.max(...speeds)).toBeLessThanOrEqual(5.2262554);
    expect(Math.max(...speeds)).toBeGreaterThan(5);
    expect(Math.min(...speeds)).toBeLessThan(0.2);
  });

  it.each([
    [{ frames: 0 }, /^invalid frames: 0; /],
    [{ frames: 2.5 }, /^invalid frames: 2\.5; /],
    [{ frames: 1001 }, /^invalid frames: 1001; /],
    [{ seed: -1 }, /^invalid seed: -1; /],
    [{ seed: 2 ** 21 }, /^invalid seed: 2097152; /],
    [{ index: 2 ** 32 }, /^invalid episode index: 4294967296; /],
    [{ startVelocity: 'fast' as StartVelocity }, /^unknown start velocity: fast; use rest or random$/],
  ])('refuse %j in a sentence', (change, sentence) => {
    expect(() => makeEpisode(maze, { seed: 1, index: 0, frames: 4, ...change })).toThrow(sentence);
  });
});

describe('a live episode', () => {
  it('is a clip of the size asked for, its frames drawn from its states', () => {
    const clip = liveEpisode(mujoco, { map: 'medium', seed: 123, frames: 6, size: 96 });
    expect([clip.length, clip.actions.rows, clip.actions.width, clip.actions.scale]).toEqual([
      6,
      6,
      10,
      'recorded',
    ]);
    expect(clip.pixels!.data.length).toBe(6 * 96 * 96 * 3);
    const [x, y] = clip.states!.data.subarray(5 * 4);
    const last = clip.pixels!.data.subarray(5 * 96 * 96 * 3);
    expect(last).toEqual(mazeRenderer(mazeMap('medium'), 96).draw(x, y));
  });

  it('is never one of the training set, whatever number the visitor gives', () => {
    const live = liveEpisode(mujoco, { map: 'umaze', seed: 0, frames: 4, size: 16 });
    expect(live.states!.data).not.toEqual(
      makeEpisode(maze, { seed: SEEDS.train, index: 0, frames: 4 }).states,
    );
  });

  it.each([
    [{ map: 'spiral' }, /^unknown map: spiral/],
    [{ size: 8 }, /^invalid frame size: 8/],
    [{ frames: -1 }, /^invalid frames: -1/],
    [{ seed: 0.5 }, /^invalid episode index: 0\.5/],
  ])('refuses %j in a sentence', (change, sentence) => {
    expect(() => liveEpisode(mujoco, { map: 'umaze', seed: 1, frames: 4, size: 64, ...change })).toThrow(
      sentence,
    );
  });
});

describe('the gallery', () => {
  it('says which kind of episode it did not find', () => {
    const trace = (index: number) => traceEpisode(maze, makeEpisode(maze, { seed: 4, index, frames: 4 }));
    expect(() => pickEpisodes(trace, 3)).toThrow(/^missing episode: Round a corner, to the right; /);
  });
});
