/** The cell of the matrix that is being read, by pointer or by keys. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

export interface Hover {
  readonly row: number;
  /** Frame of the window, context included. */
  readonly column: number;
  /** Keys are read aloud; the pointer is not. */
  readonly by: 'pointer' | 'keys';
}

export type HoverStore = StoreApi<{ readonly cell: Hover | null }>;

export function createHover(): HoverStore {
  return createStore<{ readonly cell: Hover | null }>(() => ({ cell: null }));
}
