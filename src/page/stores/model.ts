/** The model in the worker: not there, on its way, ready, failed. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { BackendChoice, LoadProgress, Opened } from '../../../workers/protocol.ts';

export type Model =
  | { readonly status: 'empty' }
  | { readonly status: 'loading'; readonly backend: BackendChoice; readonly progress: LoadProgress | null }
  | { readonly status: 'ready'; readonly backend: BackendChoice; readonly opened: Opened }
  | { readonly status: 'failed'; readonly sentence: string; readonly details: string };

export type ModelStore = StoreApi<Model>;

export function createModel(): ModelStore {
  return createStore<Model>(() => ({ status: 'empty' }));
}
