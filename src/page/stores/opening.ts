/** Opens the model in its worker, once for each backend that is asked for. */
import type { Distrust, LoadProgress, Opened } from '../../../workers/protocol.ts';
import { proxy } from 'comlink';
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

/** @param distrusted devices whose numbers were wrong for a bundle: it opens on another. */
export function createOpening(
  model: ModelStore,
  engine: Engine,
  distrusted: () => readonly Distrust[] = () => [],
): Opening {
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
      }
      throw error;
    }
  };

  return {
    open: (settings) => {
      const key = `${settings.bundle} ${settings.backend}`;
      const state = model.getState();
      const lost = state.status === 'empty' || state.status === 'failed';
      if (coming?.key === key && !lost) return coming.opened;
      coming = { key, opened: load(settings, ++attempt) };
      // Whoever waits gets the error; nobody waiting is no fault either.
      coming.opened.catch(() => undefined);
      return coming.opened;
    },
    cancel: () => {
      if (model.getState().status !== 'loading') return;
      attempt++;
      coming = null;
      model.setState({ status: 'empty' }, true);
      engine.inference.end();
    },
  };
}
