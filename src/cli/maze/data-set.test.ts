import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readClip } from '../../../models/clip.ts';
import { readNpy } from '../../../models/files/npy.ts';
import { makeEpisode } from '../../../models/worlds/maze/episode.ts';
import { mazeMap } from '../../../models/worlds/maze/maps.ts';
import { drawStates, mazeRenderer } from '../../../models/worlds/maze/render.ts';
import { createMaze } from '../../../workers/mujoco/simulator.ts';
import { mujocoInNode } from '../../../workers/node/mujoco.ts';
import { parse } from '../command.ts';
import { command as clipsCommand } from './clips-command.ts';
import { command as dataCommand } from './data-command.ts';
import { perturbed, readDataSet, simulate, writeDataSet } from './data-set.ts';
import type { Watch } from './data-set.ts';

const folder = mkdtempSync(join(tmpdir(), 'maze-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const quiet: Watch = { stopped: { aborted: false }, progress: () => undefined };

function command(...args: string[]) {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
  return spawnSync(process.execPath, [tsx, 'src/cli/maze-data.ts', ...args], { cwd: root, encoding: 'utf8' });
}
const read = (place: string, name: string) => readNpy(new Uint8Array(readFileSync(join(place, name))), name);

describe('npm run maze:data', () => {
  it('writes the episodes of a seed, their actions and their pictures', async () => {
    const out = join(folder, 'small');
    const done = command('--episodes', '5', '--frames', '3', '--seed', '9', '--size', '16', '--out', out);
    expect(done.stderr).toMatch(/5 episodes of 3 frames/);
    expect(done.status).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['actions.npy', 'frames.npy', 'meta.json', 'states.npy']);
    const [states, actions, frames] = ['states.npy', 'actions.npy', 'frames.npy'].map((name) =>
      read(out, name),
    );
    expect([states!.shape, states!.dtype]).toEqual([[5, 3, 4], 'float64']);
    expect([actions!.shape, actions!.dtype]).toEqual([[5, 3, 10], 'float32']);
    expect([frames!.shape, frames!.dtype]).toEqual([[5, 3, 16, 16, 3], 'uint8']);

    const maze = createMaze(await mujocoInNode(), 'umaze');
    const last = makeEpisode(maze, { seed: 9, index: 4, frames: 3 });
    maze.dispose();
    expect(states!.data.subarray(48)).toEqual(last.states);
    expect(actions!.data.subarray(120)).toEqual(last.actions);
    expect(frames!.data.subarray(4 * 3 * 768)).toEqual(drawStates(mazeMap('umaze'), 16, last.states));
    const meta = readDataSet(out).meta;
    expect(meta).toMatchObject({ map: 'umaze', seed: 9, episodes: 5, frames: 3, interval: 5, size: 16 });
    const xs = [...(actions!.data as Float32Array)].filter((_, i) => i % 2 === 0);
    expect(meta.action_mean[0]).toBeCloseTo(xs.reduce((sum, x) => sum + x, 0) / xs.length, 12);
  });

  it('renders the same episodes at another size', () => {
    const [from, to] = [join(folder, 'small'), join(folder, 'larger')];
    expect(command('--render-from', from, '--size', '20', '--out', to).status).toBe(0);
    const states = read(from, 'states.npy').data as Float64Array;
    expect(read(to, 'states.npy').data).toEqual(states);
    const frames = read(to, 'frames.npy');
    expect(frames.shape).toEqual([5, 3, 20, 20, 3]);
    const picture = mazeRenderer(mazeMap('umaze'), 20).draw(states[28]!, states[29]!);
    expect(frames.data.subarray(7 * 1200, 8 * 1200)).toEqual(picture);
  });

  it('leaves nothing half-written behind when it is interrupted', async () => {
    const out = join(folder, 'interrupted');
    const maze = createMaze(await mujocoInNode(), 'umaze');
    const options = { episodes: 100, frames: 4, seed: 9, startVelocity: 'rest' } as const;
    const set = await simulate(maze, options, quiet);
    const stopped = { aborted: false };
    const watch: Watch = { stopped, progress: () => void (stopped.aborted = true) };
    await expect(writeDataSet(out, set, 512, watch)).rejects.toMatchObject({ name: 'aborted' });
    expect(readdirSync(out)).toEqual([]);
    await expect(simulate(maze, options, watch)).rejects.toThrow(/cancelled/);
    maze.dispose();
  });

  it.each([
    ['meta.json', '{', /^invalid JSON: .*meta.json; /],
    [
      'meta.json',
      '{"version":1,"map":"spiral"}',
      /^invalid data set field: map; "spiral" is not known, use umaze/,
    ],
    ['states.npy', null, /^invalid array: float32 \[5, 3, 10\] in .*; meta.json says float64 \[5, 3, 4\]; /],
  ])('refuses a set whose %s is wrong', (name, text, sentence) => {
    const place = mkdtempSync(join(folder, 'wrong-'));
    cpSync(join(folder, 'small'), place, { recursive: true });
    if (text === null) cpSync(join(place, 'actions.npy'), join(place, name));
    else writeFileSync(join(place, name), text);
    expect(() => readDataSet(place)).toThrow(sentence);
  });

  it.each([
    [['--episodes', '3'], /^missing option: --out; /],
    [['--out', join(folder, 'x'), '--episodes', '0'], /^invalid --episodes: 0; /],
    [
      ['--out', join(folder, 'x'), '--episodes', '1e15'],
      /^invalid --episodes: 1000000000000000; .*at most 10000000/,
    ],
    [
      ['--out', join(root, 'package.json', 'x'), '--episodes', '1'],
      /^invalid output: .*; a part of its path is a file/,
    ],
    [['--out', join(folder, 'x'), '--size', '8'], /^invalid frame size: 8; .*16 to 1024/],
    [['--out', join(folder, 'x'), '--map', 'spiral'], /^unknown map: spiral; use umaze, /],
    [['--out', join(folder, 'x'), '--seed', '-3'], /^invalid --seed: -3; /],
    [['--out', join(folder, 'x'), '--render-from', '/nowhere'], /^missing file: \/nowhere\/meta.json; /],
  ])('refuses %j in one sentence, before it writes anything', async (args, sentence) => {
    const run = async () => dataCommand.run(parse(dataCommand, args, quiet.stopped));
    await expect(run()).rejects.toThrow(sentence);
    expect(existsSync(join(folder, 'x'))).toBe(false);
  });

  it('says so on standard error, without a stack trace, and exits with 1', () => {
    const done = command('--out', join(folder, 'x'), '--map', 'spiral');
    expect(done.stderr.trim()).toBe('unknown map: spiral; use umaze, open, medium, large');
    expect(done.status).toBe(1);
  });
});

describe('npm run maze:clips', () => {
  const out = mkdtempSync(join(folder, 'clips-'));
  const run = (...args: string[]) => clipsCommand.run(parse(clipsCommand, args, quiet.stopped));

  it('refuses what it cannot make, and an index that is none, before it simulates or writes', async () => {
    await expect(run('--out', out, '--size', '8')).rejects.toThrow(/^invalid frame size: 8; /);
    for (const text of ['', '[]', '{"clips":3}', '{"clips":[null]}']) {
      writeFileSync(join(out, 'index.json'), text);
      await expect(run('--out', out)).rejects.toThrow(
        /^(?:invalid|missing) (?:JSON|clip index)[^;]*; .*(?:correct|remove)/,
      );
    }
    expect(readdirSync(out)).toEqual(['index.json']);
  });
});

describe('public/clips', () => {
  const clips = join(root, 'public/clips');
  const index = JSON.parse(readFileSync(join(clips, 'index.json'), 'utf8')) as {
    clips: {
      world: string;
      map: string;
      file: string;
      title: string;
      frames: number;
      size: number;
      seed: number;
      episode: number;
      bytes: number;
      sha256: string;
    }[];
  };
  const ours = index.clips.filter(({ world }) => world === 'maze');

  it('holds twelve maze clips, each what the simulator makes of its seed and number', async () => {
    expect(ours.length).toBe(12);
    expect(new Set(ours.map(({ title }) => title)).size).toBe(12);
    const mujoco = await mujocoInNode();
    for (const entry of ours) {
      const bytes = new Uint8Array(readFileSync(join(clips, entry.file)));
      expect(bytes.length).toBe(entry.bytes);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(entry.sha256);
      const clip = readClip(bytes, entry.file);
      const maze = createMaze(mujoco, entry.map);
      const episode = makeEpisode(maze, { seed: entry.seed, index: entry.episode, frames: entry.frames });
      maze.dispose();
      expect(clip.states!.data).toEqual(episode.states);
      expect(clip.actions.data).toEqual(episode.actions);
      expect(clip.pixels!.data).toEqual(drawStates(mazeMap(entry.map), entry.size, episode.states));
    }
  });

  it('shows only episodes of the gallery seed, which no training or test set holds', () => {
    expect(new Set(ours.map(({ seed }) => seed))).toEqual(new Set([4]));
  });
});

describe('perturbed', () => {
  it('moves the ball after the first frame, by about sigma in the second and more later, and nothing else', () => {
    const episodes = 500;
    const meta = {
      version: 1,
      map: 'umaze',
      seed: 9,
      start_velocity: 'rest',
      episodes,
      frames: 4,
      interval: 5,
      size: null,
      action_mean: [0, 0],
      action_std: [1, 1],
    } as const;
    const set = {
      meta,
      states: new Float64Array(episodes * 16).fill(1),
      actions: new Float32Array(episodes * 40),
    };
    const moved = perturbed(set, 0.06);
    const spread = (frame: number, part: number) =>
      Math.sqrt(
        Array.from(
          { length: episodes },
          (_, i) => (moved.states[i * 16 + frame * 4 + part]! - 1) ** 2,
        ).reduce((a, b) => a + b) / episodes,
      );
    expect(spread(0, 0)).toBe(0);
    expect(spread(1, 2)).toBe(0);
    // Uniform in 0..2 sigma, so the root of the mean square is 2 / sqrt(3) sigma = 0.069.
    expect(spread(1, 0)).toBeGreaterThan(0.06);
    expect(spread(1, 1)).toBeLessThan(0.08);
    expect(spread(3, 0)).toBeGreaterThan(spread(1, 0));
    expect(set.states.every((value) => value === 1)).toBe(true);
    expect(perturbed(set, 0.06).states).toEqual(moved.states);
  });
});
