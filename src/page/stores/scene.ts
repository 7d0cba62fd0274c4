/** What the pictures show now: the clip, its reconstruction, and one prediction (a run's, the recorded one, or the live one). */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { TruthKind } from './view.ts';

/** Frames uint8 [count, height, width, 3]. */
export interface Frames {
  readonly data: Uint8Array;
  readonly count: number;
  readonly height: number;
  readonly width: number;
}

export interface Prediction {
  readonly frames: Frames;
  /** Frames at the start that were given. */
  readonly context: number;
  /** Which frames hold something; a live run fills them as it goes. */
  readonly known: readonly boolean[];
}

export interface Scene {
  readonly clip: string | null;
  readonly pixels: Frames | null;
  readonly reconstruction: Frames | null;
  readonly prediction: Prediction | null;
  /** Width to height as shown; null for the frames' own. */
  readonly aspect: number | null;
  /** Counts up when bytes change inside a buffer that stays. */
  readonly version: number;
}

export type SceneStore = StoreApi<Scene>;

export const EMPTY_SCENE: Scene = {
  clip: null,
  pixels: null,
  reconstruction: null,
  prediction: null,
  aspect: null,
  version: 0,
};

export function createScene(): SceneStore {
  return createStore<Scene>(() => EMPTY_SCENE);
}

/** The truth asked for, or the recorded pixels while there is no reconstruction. */
export function truthOf(scene: Scene, kind: TruthKind): Frames | null {
  return (kind === 'reconstruction' ? scene.reconstruction : null) ?? scene.pixels;
}

export function knows(prediction: Prediction | null, frame: number): prediction is Prediction {
  return prediction?.known[frame] === true;
}
