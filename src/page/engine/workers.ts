/** The only place on the page that starts workers. */
import type { InferenceWorker, ModelsWorker, MujocoWorker } from '../../../workers/protocol.ts';
import { own } from './owner.ts';
import type { Owner } from './owner.ts';

export interface Engine {
  readonly inference: Owner<InferenceWorker>;
  readonly mujoco: Owner<MujocoWorker>;
  readonly models: Owner<ModelsWorker>;
}

/** @param onBroken told which worker broke, the sentence, and whether it is `heard` already by who waits for the worker. */
export function createEngine(
  onBroken: (which: keyof Engine, sentence: string, heard: boolean) => void,
): Engine {
  return {
    inference: own<InferenceWorker>(
      'model worker',
      () =>
        new Worker(new URL('../../../workers/inference.worker.ts', import.meta.url), {
          type: 'module',
          name: 'inference',
        }),
      (sentence, heard) => onBroken('inference', sentence, heard),
    ),
    mujoco: own<MujocoWorker>(
      'MuJoCo worker',
      () =>
        new Worker(new URL('../../../workers/mujoco.worker.ts', import.meta.url), {
          type: 'module',
          name: 'mujoco',
        }),
      (sentence, heard) => onBroken('mujoco', sentence, heard),
    ),
    models: own<ModelsWorker>(
      'models worker',
      () =>
        new Worker(new URL('../../../workers/models.worker.ts', import.meta.url), {
          type: 'module',
          name: 'models',
        }),
      (sentence, heard) => onBroken('models', sentence, heard),
    ),
  };
}
