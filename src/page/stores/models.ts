/** The visitor's own models in this browser: which there are, and what is being done to them. */
import { proxy } from 'comlink';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import { parseManifest } from '../../../models/bundle/manifest.ts';
import type { Manifest } from '../../../models/bundle/manifest.ts';
import type { GivenFile, LocalBundle, StorageReport, WriteProgress } from '../../../workers/protocol.ts';
import type { Engine } from '../engine/workers.ts';
import { MODEL_WORDS } from '../words/models.ts';
import { FIRST_DEFAULTS } from './bundle.ts';
import { fetchJson } from './fetching.ts';
import type { NoticesStore } from './notices.ts';
import { failureOf, isAbort } from './sentence.ts';

/** Something that takes a while. */
export interface Work {
  /** What is being brought in or given out. */
  readonly name: string;
  readonly progress: WriteProgress | null;
}

export interface ModelsState {
  readonly status: 'unknown' | 'loading' | 'ready' | 'failed';
  /** The model that comes with the page; null when it cannot be described. */
  readonly served: Manifest | null;
  readonly own: readonly LocalBundle[];
  readonly storage: StorageReport;
  readonly work: Work | null;
  /** Why the last thing did not work, in one sentence. */
  readonly failure: string | null;
}

export interface Models {
  readonly store: StoreApi<ModelsState>;
  refresh(): Promise<void>;
  /** Takes in a bundle; the model, when that worked. */
  takeIn(files: readonly GivenFile[]): Promise<LocalBundle | null>;
  cancel(): void;
  remove(id: string): Promise<void>;
  /** Saves the bundle as a zip where the browser saves downloads. */
  saveZip(id: string): Promise<void>;
  /** Asks the browser not to remove what this site keeps. */
  persist(): Promise<void>;
}

const NOTHING: StorageReport = { used: null, quota: null, persisted: null };

export function createModels(engine: Engine, notices: NoticesStore): Models {
  const store = createStore<ModelsState>(() => ({
    status: 'unknown',
    served: null,
    own: [],
    storage: NOTHING,
    work: null,
    failure: null,
  }));

  const refresh = async () => {
    if (store.getState().status !== 'ready') store.setState({ status: 'loading' });
    try {
      // Without it the others are as good as with it.
      const served = await fetchJson(`bundles/${FIRST_DEFAULTS.bundle}/manifest.json`)
        .then(parseManifest)
        .catch(() => null);
      store.setState({ served });
      const [own, storage] = await engine.models.call((worker) =>
        Promise.all([worker.list(), worker.storage()]),
      );
      store.setState({ status: 'ready', own, storage });
    } catch (error) {
      store.setState({ status: 'failed', failure: failureOf(error).sentence });
    }
  };

  /** One thing at a time; what fails is said in the panel. */
  const working = async <T>(
    name: string,
    work: (tell: (progress: WriteProgress) => void) => Promise<T>,
  ): Promise<T | null> => {
    if (store.getState().work !== null) return null;
    store.setState({ work: { name, progress: null }, failure: null });
    try {
      return await work((progress) => {
        // Progress comes on a channel of its own, and the last of it can come after the end.
        if (store.getState().work !== null) store.setState({ work: { name, progress } });
      });
    } catch (error) {
      if (!isAbort(error)) store.setState({ failure: failureOf(error).sentence });
      return null;
    } finally {
      store.setState({ work: null });
      await refresh();
    }
  };

  return {
    store,
    refresh,
    takeIn: (files) =>
      working(MODEL_WORDS.these(files.map(({ path }) => path)), (tell) =>
        engine.models.call((worker) => worker.takeIn([...files], proxy(tell))),
      ),
    cancel: () => void engine.models.call((worker) => worker.cancel()).catch(() => undefined),
    remove: async (id) => {
      await working(id, async () => {
        const freed = await engine.models.call((worker) => worker.remove(id));
        notices.say('plain', MODEL_WORDS.removed(id, freed));
      });
    },
    saveZip: async (id) => {
      const blob = await working(id, () => engine.models.call((worker) => worker.asZip(id)));
      if (blob) save(blob, `${id}.zip`);
    },
    persist: async () => {
      const granted = await navigator.storage.persist().catch(() => false);
      notices.say(granted ? 'plain' : 'warn', granted ? MODEL_WORDS.persisted : MODEL_WORDS.notPersisted);
      await refresh();
    },
  };
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
