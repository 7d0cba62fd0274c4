/** What was produced: the runs of this visit, in order, and the recorded one that was there before. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { Frames } from './scene.ts';
import type { Settings } from './settings.ts';
import type { Measure, TruthKind } from './view.ts';

/** One number for each frame; null for the context, which is given. */
export type PerFrame = readonly (number | null)[];

export interface Run {
  readonly id: string;
  /** 0 for the first run of this visit, -1 for a recorded one; its colour goes by it. */
  readonly order: number;
  readonly settings: Settings;
  readonly frames: Frames;
  readonly context: number;
  readonly reconstruction: Frames | null;
  readonly measures: Readonly<Record<TruthKind, Readonly<Record<Measure, PerFrame>>>>;
  readonly seconds: number;
  readonly networkCalls: number;
  readonly frameEvaluations: number;
  /** What computed it, in words. */
  readonly device: string;
  /** Day of the recording, for a recorded run. */
  readonly recordedOn: string | null;
  /** What the model believed after each row of each window [windows][rows], uint8 [F, H, W, 3]; empty when not kept. */
  readonly beliefs: Beliefs;
}

export type Beliefs = readonly (readonly Uint8Array[])[];

export interface Runs {
  readonly runs: readonly Run[];
  /** The run in the pictures; null before there is one. */
  readonly shown: string | null;
}

export type RunsStore = StoreApi<Runs>;

/** Runs beyond these are let go, oldest first, and beliefs beyond these bytes: a tab is not a disk. */
const KEPT = 40;
const KEPT_BELIEFS = 64e6;

export function createRuns(): RunsStore {
  return createStore<Runs>(() => ({ runs: [], shown: null }));
}

export function addRun(store: RunsStore, run: Run): void {
  const runs = [...store.getState().runs.filter(({ id }) => id !== run.id), run];
  store.setState({ runs: withinMemory(runs.slice(-KEPT)), shown: run.id });
}

/** The newest runs keep their beliefs for as long as there is room. */
function withinMemory(runs: readonly Run[]): readonly Run[] {
  let room = KEPT_BELIEFS;
  return runs
    .toReversed()
    .map((run) => {
      room -= run.beliefs.flat().reduce((sum, belief) => sum + belief.byteLength, 0);
      return room >= 0 || run.beliefs.length === 0 ? run : { ...run, beliefs: [] };
    })
    .toReversed();
}

export function shownRun({ runs, shown }: Runs): Run | null {
  return runs.find(({ id }) => id === shown) ?? null;
}

/** Runs of one clip, which are those that may be held against each other. */
export function runsOfClip({ runs }: Runs, clip: string): readonly Run[] {
  return runs.filter(({ settings }) => settings.clip === clip);
}

/** The number of the next run of this visit. */
export function nextOrder({ runs }: Runs): number {
  return Math.max(-1, ...runs.map(({ order }) => order)) + 1;
}

export function mean(values: PerFrame): number | null {
  const there = values.filter((value) => value !== null);
  return there.length === 0 ? null : there.reduce((sum, value) => sum + value, 0) / there.length;
}

/** True when what is wanted would give something else than this run did. The device does not count. */
export function isStale(run: Run, wanted: Settings): boolean {
  const { settings } = run;
  return (
    settings.bundle !== wanted.bundle ||
    settings.clip !== wanted.clip ||
    settings.horizon !== wanted.horizon ||
    settings.mode !== wanted.mode ||
    (wanted.mode === 'lag' && settings.lag !== wanted.lag) ||
    settings.steps !== wanted.steps ||
    settings.stabilisation !== wanted.stabilisation ||
    settings.eta !== wanted.eta ||
    settings.seed !== wanted.seed
  );
}
