/** What is wanted: everything the visitor can set about a run, with undo. What was produced lies in runs.ts. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { BackendChoice } from '../../../workers/protocol.ts';

export const MODES = ['full_sequence', 'pyramid', 'sequential', 'lag'] as const;
export type Mode = (typeof MODES)[number];

export interface Settings {
  readonly bundle: string;
  /** A clip of public/clips by its id, or `maze:MAP:SEED`, an episode simulated here. */
  readonly clip: string;
  /** Frames of the whole rollout, the context included (as RunSpec counts). */
  readonly horizon: number;
  readonly mode: Mode;
  /** Rows by which each frame starts after the one before it; counts in mode `lag` only. */
  readonly lag: number;
  /** Denoising steps of a frame. */
  readonly steps: number;
  /** History stabilisation level, 0 (off) up to but not 1. */
  readonly stabilisation: number;
  /** 0 is DDIM, 1 adds as much noise as ancestral sampling. */
  readonly eta: number;
  readonly seed: number;
  readonly backend: BackendChoice;
}

export interface SettingsState {
  readonly present: Settings;
  readonly past: readonly Settings[];
  readonly future: readonly Settings[];
}

export interface SettingsStore {
  readonly store: StoreApi<SettingsState>;
  get(): Settings;
  /** Changes some settings; changes of the same ones within a moment (a slider being dragged) are one step of undo. */
  change(patch: Partial<Settings>): void;
  /** Sets everything anew, without a step of undo: the page found out what its defaults are. */
  rebase(settings: Settings): void;
  undo(): void;
  redo(): void;
}

/** Milliseconds in which changes of the same setting count as one. */
const MOMENT = 800;
const REMEMBERED = 100;

export function createSettings(initial: Settings, clock: () => number): SettingsStore {
  const store = createStore<SettingsState>(() => ({ present: initial, past: [], future: [] }));
  let last = { what: '', when: -Infinity };

  return {
    store,
    get: () => store.getState().present,
    change: (patch) => {
      const { present, past } = store.getState();
      const next = { ...present, ...patch };
      if (same(present, next)) return;
      const what = Object.keys(patch).sort().join();
      const now = clock();
      const joins = what === last.what && now - last.when < MOMENT && past.length > 0;
      last = { what, when: now };
      store.setState({
        present: next,
        past: joins ? past : [...past, present].slice(-REMEMBERED),
        future: [],
      });
    },
    rebase: (settings) => store.setState({ present: settings, past: [], future: [] }),
    undo: () => {
      const { present, past, future } = store.getState();
      const previous = past.at(-1);
      if (!previous) return;
      last = { what: '', when: -Infinity };
      store.setState({ present: previous, past: past.slice(0, -1), future: [present, ...future] });
    },
    redo: () => {
      const { present, past, future } = store.getState();
      const [next, ...rest] = future;
      if (!next) return;
      last = { what: '', when: -Infinity };
      store.setState({ present: next, past: [...past, present], future: rest });
    },
  };
}

/** Rows by which frames follow each other, whatever the mode is called (facts/nanowm.md section 4). */
export function lagOf({ mode, lag, steps }: Pick<Settings, 'mode' | 'lag' | 'steps'>): number {
  switch (mode) {
    case 'full_sequence':
      return 0;
    case 'pyramid':
      return 1;
    case 'sequential':
      return steps;
    case 'lag':
      return lag;
  }
}

export function same(first: Settings, second: Settings): boolean {
  return (Object.keys(first) as (keyof Settings)[]).every((key) => Object.is(first[key], second[key]));
}
