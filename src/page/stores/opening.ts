/** Opens the model in its worker, once for each backend that is asked for; removes what the browser keeps of it. */
import type { Distrust, LoadProgress, Opened } from '../../../workers/protocol.ts';
import { proxy } from 'comlink';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import { localAddress, localId } from '../../../models/bundle/local.ts';
import { aborted } from '../../../models/errors.ts';
import type { Engine } from '../engine/workers.ts';
import { beside } from './fetching.ts';
import type { ModelStore } from './model.ts';
import { failureOf, isAbort } from './sentence.ts';
import type { Settings } from './settings.ts';

export interface Opening {
  /** The open model; loads it when there is none, or another backend is asked for. @throws what failed; cancelling is `aborted`. */
  open(settings: Pick<Settings, 'bundle' | 'backend'>): Promise<Opened>;
  /** Stops loading; ends the worker, since a download in it cannot be asked to stop. */
  cancel(): void;
}

export interface Removing {
  /** Whether the kept files are being removed; what is opened meanwhile waits, and then loads anew. */
  readonly removing: StoreApi<boolean>;
  /** Removes them, the open model with its worker; stops loading. Bytes freed. @throws what failed */
  remove(): Promise<number>;
}

/** @param distrusted devices whose numbers were wrong for a bundle: it opens on another. */
export function createOpening(
  model: ModelStore,
  engine: Engine,
  distrusted: () => readonly Distrust[] = () => [],
): Opening & Removing {
  const removing = createStore(() => false);
  let removed: Promise<unknown> = Promise.resolve();
  let coming: { readonly key: string; readonly opened: Promise<Opened> } | null = null;
  let attempt = 0;

  const load = async (
    { bundle, backend }: Pick<Settings, 'bundle' | 'backend'>,
    mine: number,
  ): Promise<Opened> => {
    const current = () => mine === attempt;
    // Progress comes on a channel of its own, and the last of it can come after the end.
    let over = false;
    model.setState({ status: 'loading', backend, progress: null }, true);
    try {
      const local = localId(bundle);
      const url = local === null ? beside(`bundles/${bundle}/`) : localAddress(local);
      const onProgress = proxy((progress: LoadProgress) => {
        if (current() && !over) model.setState({ status: 'loading', backend, progress }, true);
      });
      const opened = await engine.inference
        .call((worker) => worker.open({ url, backend, distrusted: distrusted() }, onProgress))
        .finally(() => (over = true));
      if (!current()) throw aborted('loading');
      model.setState({ status: 'ready', backend, opened }, true);
      return opened;
    } catch (error) {
      if (current()) {
        coming = null;
        model.setState(
          isAbort(error) ? { status: 'empty' } : { status: 'failed', ...failureOf(error) },
          true,
        );
        // A runtime that did not come up never will in the same worker.
        engine.inference.end();
      }
      throw error;
    }
  };

  const cancel = (): void => {
    if (model.getState().status !== 'loading') return;
    attempt++;
    coming = null;
    model.setState({ status: 'empty' }, true);
    engine.inference.end();
  };

  const removeFiles = async (): Promise<number> => {
    try {
      cancel();
      const freed = await engine.inference.call((worker) => worker.forget());
      engine.inference.end();
      model.setState({ status: 'empty' }, true);
      return freed;
    } finally {
      removing.setState(false, true);
    }
  };

  const open: Opening['open'] = (settings) => {
    if (removing.getState()) return removed.then(() => open(settings));
    const key = `${settings.bundle} ${settings.backend}`;
    const state = model.getState();
    const lost = state.status === 'empty' || state.status === 'failed';
    if (coming?.key === key && !lost) return coming.opened;
    coming = { key, opened: load(settings, ++attempt) };
    // Whoever waits gets the error; nobody waiting is no fault either.
    coming.opened.catch(() => undefined);
    return coming.opened;
  };

  return {
    open,
    cancel,
    removing,
    remove: () => {
      removing.setState(true, true);
      const freed = removeFiles();
      removed = freed.catch(() => undefined);
      return freed;
    },
  };
}
