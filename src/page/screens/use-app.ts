import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { App } from '../stores/app.ts';

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('missing app: screens are rendered inside AppContext');
  return app;
}

/** What `select` takes from a store; React renders again only when that changes. */
export function useFrom<S, T>(
  store: Pick<StoreApi<S>, 'getState' | 'getInitialState' | 'subscribe'>,
  select: (state: S) => T,
): T {
  return useStore(store, select);
}
