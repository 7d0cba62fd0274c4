/** The point maze on a loaded MuJoCo module; the same in a worker and in Node. */
import type { MainModule } from '@mujoco/mujoco';
import { mazeMap } from '../../models/worlds/maze/maps.ts';
import { ACTION_LIMIT, FRAME_SKIP, VELOCITY_LIMIT, mazeModel } from '../../models/worlds/maze/model.ts';
import type { MazeSimulator, MazeState } from '../../models/worlds/maze/episode.ts';

/** A simulator that holds memory outside the JavaScript heap until it is disposed of. */
export interface MujocoMaze extends MazeSimulator {
  dispose(): void;
}

/**
 * A maze that steps. One `step`: velocities clipped to +-5, the action to +-1, then five physics
 * steps of 0.01 s with that action (facts/worlds.md section 1).
 * @throws unknown map
 */
export function createMaze(mujoco: MainModule, mapName: string): MujocoMaze {
  const map = mazeMap(mapName);
  const model = mujoco.MjModel.from_xml_string(mazeModel(map));
  if (model === null) throw new Error(`MuJoCo refused the model of map ${mapName}`);
  const data = new mujoco.MjData(model);

  return {
    map: map.name,
    reset(state) {
      mujoco.mj_resetData(model, data);
      // Views are fetched anew at each use: they detach when the module's memory grows.
      (data.qpos as Float64Array).set(state.slice(0, 2));
      (data.qvel as Float64Array).set(state.slice(2, 4));
      mujoco.mj_forward(model, data);
    },
    step(actionX, actionY) {
      const velocity = data.qvel as Float64Array;
      velocity[0] = clip(velocity[0], VELOCITY_LIMIT);
      velocity[1] = clip(velocity[1], VELOCITY_LIMIT);
      const control = data.ctrl as Float64Array;
      control[0] = clip(actionX, ACTION_LIMIT);
      control[1] = clip(actionY, ACTION_LIMIT);
      for (let i = 0; i < FRAME_SKIP; i++) mujoco.mj_step(model, data);
    },
    state(): MazeState {
      const position = data.qpos as Float64Array;
      const velocity = data.qvel as Float64Array;
      return [position[0], position[1], velocity[0], velocity[1]];
    },
    dispose() {
      data.delete();
      model.delete();
    },
  };
}

function clip(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit);
}
