/** The handle that journeys in a browser hold the page by; there only when the address says `testing`. */
import type { InferenceWorker, MujocoWorker } from '../../workers/protocol.ts';
import type { Owner } from './engine/owner.ts';
import type { App } from './stores/app.ts';
import { shownRun } from './stores/runs.ts';
import type { Run } from './stores/runs.ts';
import type { Settings } from './stores/settings.ts';

/** A run without its pictures, which are large. */
export type RunSummary = Omit<Run, 'frames' | 'reconstruction' | 'beliefs'>;

function withoutPictures(run: Run): RunSummary {
  const { frames, reconstruction, beliefs, ...rest } = run;
  void [frames, reconstruction, beliefs];
  return rest;
}

export interface PlaygroundState {
  readonly settings: Settings;
  readonly frame: number;
  readonly playing: boolean;
  readonly model: string;
  readonly live: { readonly status: string; readonly row: number; readonly rows: number };
  readonly runs: readonly RunSummary[];
  readonly shown: string | null;
  readonly stored: boolean | null;
  /** How far the self-test is. */
  readonly trust: string;
  readonly notices: readonly string[];
}

export interface Playground {
  readonly inference: Owner<InferenceWorker>;
  readonly mujoco: Owner<MujocoWorker>;
  state(): PlaygroundState;
  /** Frames of the shown run, uint8 [T, H, W, 3]; null when there is none. */
  frames(): Uint8Array | null;
}

declare global {
  interface Window {
    playground?: Playground;
  }
}

export function exposeForTests(app: App): void {
  const asked = [location.search.slice(1), location.hash.slice(1)].some((part) =>
    new URLSearchParams(part).has('testing'),
  );
  if (!asked) return;
  window.playground = {
    inference: app.engine.inference,
    mujoco: app.engine.mujoco,
    frames: () => shownRun(app.runs.getState())?.frames.data ?? null,
    state: () => {
      const { frame, playing } = app.cursor.store.getState();
      const { status, row, rows } = app.live.getState();
      const model = app.model.getState();
      return {
        settings: app.settings.get(),
        frame,
        playing,
        model: model.status,
        live: { status, row, rows },
        runs: app.runs.getState().runs.map(withoutPictures),
        shown: app.runs.getState().shown,
        stored: model.status === 'ready' ? model.opened.stored : null,
        trust: app.trust.store.getState().status,
        notices: app.notices.store.getState().map(({ sentence }) => sentence),
      };
    },
  };
}
