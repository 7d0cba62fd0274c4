/** The clips there are to choose from: those served with the page, and episodes simulated here. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { Clip } from '../../../models/clip.ts';

export interface ClipEntry {
  /** Name of a served clip, or `maze:MAP:SEED`. */
  readonly id: string;
  readonly title: string;
  /** Frames and actions; null until they have been fetched or simulated. */
  readonly clip: Clip | null;
  readonly failure: string | null;
}

export interface Clips {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly entries: readonly ClipEntry[];
  /** True while MuJoCo makes an episode. */
  readonly simulating: boolean;
  /** The sentence of what failed last: the list, or an episode. */
  readonly failure: string | null;
  /** The id that was asked for and that no clip has: it cannot be run. */
  readonly absent: string | null;
}

export type ClipsStore = StoreApi<Clips>;

export function createClips(): ClipsStore {
  return createStore<Clips>(() => ({
    status: 'loading',
    entries: [],
    simulating: false,
    failure: null,
    absent: null,
  }));
}

export function entryOf({ entries }: Clips, id: string): ClipEntry | null {
  return entries.find((entry) => entry.id === id) ?? null;
}

/** Adds entries at the top, or replaces those with the same id, in place. */
export function putEntries(store: ClipsStore, fresh: readonly ClipEntry[]): void {
  const { entries } = store.getState();
  const byId = new Map(fresh.map((entry) => [entry.id, entry]));
  const kept = entries.map((entry) => byId.get(entry.id) ?? entry);
  const known = new Set(entries.map(({ id }) => id));
  store.setState({ entries: [...fresh.filter(({ id }) => !known.has(id)), ...kept] });
}
