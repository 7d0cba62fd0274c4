/** The run under way. Changes with every row: painters and live text subscribe, React only to `status`. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { Frames, Prediction } from './scene.ts';
import type { Settings } from './settings.ts';

export type LiveStatus = 'idle' | 'starting' | 'running' | 'stopping' | 'failed';

export interface Live {
  readonly status: LiveStatus;
  readonly id: string;
  /** What this run was started with; null when there was none yet. */
  readonly settings: Settings | null;
  /** Rows that were computed in this window, and how many there are. */
  readonly row: number;
  readonly rows: number;
  /** 0-based. */
  readonly window: number;
  readonly windows: number;
  /** Level of every frame of the window, context first. */
  readonly levels: readonly (number | null)[];
  readonly secondsLeft: number | null;
  /** What the model believes so far; its frames change in place with each row. */
  readonly prediction: Prediction | null;
  readonly reconstruction: Frames | null;
  /** Sentence of the failure, and what lies behind it. */
  readonly failure: { readonly sentence: string; readonly details: string } | null;
}

export const IDLE: Live = {
  status: 'idle',
  id: '',
  settings: null,
  row: 0,
  rows: 0,
  window: 0,
  windows: 1,
  levels: [],
  secondsLeft: null,
  prediction: null,
  reconstruction: null,
  failure: null,
};

export type LiveStore = StoreApi<Live>;

export function createLive(): LiveStore {
  return createStore<Live>(() => IDLE);
}

export function isBusy({ status }: Pick<Live, 'status'>): boolean {
  return status === 'starting' || status === 'running' || status === 'stopping';
}
