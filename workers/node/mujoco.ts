/** MuJoCo in Node: the official WebAssembly build, single-threaded. */
import loadMujoco from '@mujoco/mujoco';
import type { MainModule } from '@mujoco/mujoco';

let loaded: Promise<MainModule> | null = null;

/** The module, loaded once per process (its memory is shared by all mazes made on it). */
export function mujocoInNode(): Promise<MainModule> {
  loaded ??= loadMujoco();
  return loaded;
}
