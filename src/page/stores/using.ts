/** Which bundle the page runs on: described before its weights come, changed by the visitor, by undo, by an address. */
import { localId, localName } from '../../../models/bundle/local.ts';
import type { GivenFile, LocalBundle } from '../../../workers/protocol.ts';
import { MODEL_WORDS } from '../words/models.ts';
import { words } from '../words.ts';
import { bundleOf, FIRST_DEFAULTS } from './bundle.ts';
import type { Bundle } from './bundle.ts';
import { entryOf } from './clips.ts';
import type { Core } from './core.ts';
import { fetchJson } from './fetching.ts';
import type { Addresses } from './models.ts';
import { failureOf, isAbort } from './sentence.ts';
import { specOf } from './spec.ts';

/** The bundle's description: with it come its defaults, which fill what the address left open. */
export async function loadBundle(app: Core): Promise<void> {
  const { bundle, settings, linked, notices } = app;
  const name = settings.get().bundle;
  bundle.setState({ status: 'loading', name, failure: null });
  try {
    const loaded = await describeBundle(app, name);
    if (settings.get().bundle !== name) return;
    const { past, future } = settings.store.getState();
    const untouched = past.length === 0 && future.length === 0;
    if (untouched) {
      const wanted = { ...loaded.defaults, ...linked.linked?.settings };
      settings.rebase(wanted);
      try {
        specOf(wanted, loaded.manifest!);
      } catch (error) {
        settings.rebase(loaded.defaults);
        notices.say('warn', words.brokenLink(failureOf(error).sentence.replace(/\.$/, '')));
      }
    }
    bundle.setState(loaded);
    const { clip } = settings.get();
    const length = entryOf(app.clips.getState(), clip)?.clip?.length;
    if (length !== undefined) shorten(app, clip, length);
  } catch (error) {
    if (settings.get().bundle === name)
      bundle.setState({ status: 'failed', manifest: null, failure: failureOf(error).sentence });
  }
}

/** A served bundle's manifest comes from beside the page, a local one's from the worker that keeps it. */
async function describeBundle({ engine, bundle }: Core, name: string): Promise<Bundle> {
  const id = localId(name);
  const json =
    id === null
      ? await fetchJson(`bundles/${name}/manifest.json`)
      : await engine.models.call((worker) => worker.manifest(id));
  return bundleOf(json, bundle.getState().defaults, name);
}

/**
 * Runs on another model from now on, with what it does when nothing is asked; clip, seed and device stay.
 * @throws one sentence when it cannot be described
 */
export async function switchTo(app: Core, name: string): Promise<void> {
  const loaded = await describeBundle(app, name);
  const { clip, seed, backend } = app.settings.get();
  app.bundle.setState(loaded);
  app.settings.change({ ...loaded.defaults, clip, seed, backend });
  void app.opening.open(app.settings.get()).catch(() => undefined);
}

/** Undo, or an address that was changed, may ask for another bundle than the one that is loaded. */
export function keepBundle(app: Core): void {
  app.settings.store.subscribe(() => {
    if (app.settings.get().bundle === app.bundle.getState().name) return;
    // Whoever had a model open wants the other one open.
    const opened = app.model.getState().status !== 'empty';
    void loadBundle(app).then(() => {
      if (opened && app.bundle.getState().status === 'ready')
        void app.opening.open(app.settings.get()).catch(() => undefined);
    });
  });
}

/** What a visitor does with models, by button. */
export interface Using {
  /** Runs on this model from now on, and shows the studio. */
  useModel(name: string): Promise<void>;
  bringModel(files: readonly GivenFile[]): Promise<void>;
  fetchModel(wanted: Addresses): Promise<void>;
  convertModel(): Promise<void>;
  /** The model of the page takes over where the deleted one was in use. */
  removeModel(id: string): Promise<void>;
}

export function createUsing(core: Core): Using {
  const { models, notices, settings, view } = core;
  const tried = async (name: string): Promise<boolean> => {
    try {
      await switchTo(core, name);
      return true;
    } catch (error) {
      if (!isAbort(error)) notices.say('bad', failureOf(error).sentence);
      return false;
    }
  };
  const here = (kept: LocalBundle | null): void => {
    if (kept) notices.say('plain', MODEL_WORDS.brought(kept.manifest?.title ?? kept.id));
  };
  return {
    useModel: async (name) => {
      if (await tried(name)) view.setState({ screen: 'studio' });
    },
    bringModel: async (files) => here(await models.bring(files)),
    fetchModel: async (wanted) => here(await models.fetch(wanted)),
    convertModel: async () => here(await models.convert()),
    removeModel: async (id) => {
      if (settings.get().bundle === localName(id) && !(await tried(FIRST_DEFAULTS.bundle))) return;
      await models.remove(id);
    },
  };
}

/** A link may ask for more frames than its clip has; without truth there is nothing to hold them against. */
export function shorten({ settings, bundle, notices }: Core, clip: string, length: number): void {
  const now = settings.get();
  const most = Math.max(length, bundle.getState().window.frames);
  if (now.clip !== clip || now.horizon <= most) return;
  settings.rebase({ ...now, horizon: most });
  notices.say('plain', words.shortClip(length));
}
