/** Light or dark as it is now: the visitor's choice, else the system's. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { Theme } from '../colour/runs.ts';
import type { ThemeChoice } from './view.ts';

export type ThemeStore = StoreApi<{ readonly theme: Theme }>;

export function resolveTheme(choice: ThemeChoice, systemIsDark: boolean): Theme {
  if (choice !== 'auto') return choice;
  return systemIsDark ? 'dark' : 'light';
}

export function createTheme(theme: Theme): ThemeStore {
  return createStore(() => ({ theme }));
}
