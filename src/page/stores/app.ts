/** The page without its pictures: stores, what can be done, what can be read. Screens get it from their context. */
import type { Theme } from '../colour/runs.ts';
import { createActions } from './actions.ts';
import type { Actions } from './actions.ts';
import { createCore } from './core.ts';
import type { Core } from './core.ts';
import { createReadings } from './readings.ts';
import type { Readings } from './readings.ts';
import { createUsing, loadBundle } from './using.ts';
import type { Using } from './using.ts';

export type App = Core & Actions & Readings & Using & { loadBundle(): Promise<void> };

export function createApp(hash: string, theme: Theme): App {
  const core = createCore(hash, theme);
  return {
    ...core,
    ...createActions(core),
    ...createReadings(core),
    ...createUsing(core),
    loadBundle: () => loadBundle(core),
  };
}
