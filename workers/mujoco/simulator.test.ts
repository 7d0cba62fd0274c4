import { beforeAll, describe, expect, it } from 'vitest';
import type { MainModule } from '@mujoco/mujoco';
import { referenceArrays, referencePath } from '../../models/testing/reference.ts';
import { MAZE_NAMES } from '../../models/worlds/maze/maps.ts';
import { BALL_MASS } from '../../models/worlds/maze/model.ts';
import { mujocoInNode } from '../node/mujoco.ts';
import { createMaze } from './simulator.ts';

const here = referencePath('maze/trajectories.npz') !== null;
let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await mujocoInNode();
});

describe('point maze on MuJoCo', () => {
  it.skipIf(!here).each(MAZE_NAMES)('follows the reference trajectories of %s to 1e-9', (map) => {
    const golden = referenceArrays('maze/trajectories.npz');
    const maze = createMaze(mujoco, map);
    for (const run of [0, 1]) {
      const values = (name: string) => golden.get(`${map}_${run}_${name}`).data as Float64Array;
      const [x, y, vx, vy] = values('start');
      const actions = values('actions'); // [60, 2]
      const states = [];
      maze.reset([x, y, vx, vy]);
      for (let t = 0; t < actions.length / 2; t++) {
        maze.step(actions[2 * t], actions[2 * t + 1]);
        states.push(...maze.state());
      }
      expect(states.length).toBe(240);
      expect(states).toBeCloseTensor(values('states'), { absolute: 1e-9 });
    }
    maze.dispose();
  });

  it('clips the action to one and the velocity to five before each step', () => {
    const maze = createMaze(mujoco, 'open');
    const after = (velocity: number, action: number) => {
      maze.reset([2, 3, velocity, 0]);
      maze.step(action, 0);
      return maze.state();
    };
    expect(after(0, 7)).toEqual(after(0, 1));
    expect(after(0, 1)).not.toEqual(after(0, 0.5));
    expect(after(-5.2, 0)).toEqual(after(-5, 0));
    expect(after(-5, 0)).not.toEqual(after(-4.9, 0));
    maze.dispose();
  });

  it('weighs the ball as the facts say: full force for a step of 0.05 s gives 1.19', () => {
    const maze = createMaze(mujoco, 'open');
    maze.reset([2, 3, 0, 0]);
    maze.step(1, 0);
    const [x, y, vx, vy] = maze.state();
    // Damping 1 is implicit in Euler's step: v' = (v m + 100 h) / (m + h), five times from rest.
    let expected = 0;
    for (let i = 0; i < 5; i++) expected = (expected * BALL_MASS + 100 * 0.01) / (BALL_MASS + 0.01);
    expect(vx).toBeCloseTo(expected, 5);
    expect([y, vy]).toEqual([3, 0]);
    expect(x).toBeGreaterThan(2);
    maze.dispose();
  });

  it('begins a new episode without a trace of the last', () => {
    const maze = createMaze(mujoco, 'umaze');
    const run = () => {
      maze.reset([1, 2.9, 0, 0]);
      for (let i = 0; i < 20; i++) maze.step(1, -0.3);
      return maze.state();
    };
    const first = run();
    for (let i = 0; i < 30; i++) maze.step(-1, 1);
    expect(run()).toEqual(first);
    maze.dispose();
  });

  it('frees what it made: three hundred mazes leave the memory of MuJoCo as large as thirty do', () => {
    const make = (count: number) => {
      for (let i = 0; i < count; i++) {
        const maze = createMaze(mujoco, 'large');
        maze.reset([1, 1, 0, 0]);
        maze.step(1, 1);
        maze.dispose();
      }
      return memoryOf(mujoco);
    };
    const small = make(30);
    expect(make(300)).toBe(small);
  });

  it('refuses a map that nobody knows, before MuJoCo sees it', () => {
    expect(() => createMaze(mujoco, 'spiral')).toThrow(
      /^unknown map: spiral; use umaze, open, medium, large$/,
    );
  });
});

/** Bytes of the module's memory, by way of a view into it. */
function memoryOf(module: MainModule): number {
  const model = module.MjModel.from_xml_string('<mujoco/>')!;
  const data = new module.MjData(model);
  const bytes = (data.xpos as Float64Array).buffer.byteLength;
  data.delete();
  model.delete();
  return bytes;
}
