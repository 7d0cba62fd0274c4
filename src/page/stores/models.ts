/** The visitor's own models in this browser: which there are, and what is being done to them. */
import { proxy } from 'comlink';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import { localName } from '../../../models/bundle/local.ts';
import { parseManifest } from '../../../models/bundle/manifest.ts';
import type { Manifest } from '../../../models/bundle/manifest.ts';
import type { Answers, Question } from '../../../models/bundle/questions.ts';
import type { Storage } from '../../../models/onnx/storage.ts';
import type {
  GivenFile,
  LocalBundle,
  Looked,
  ModelsWorker,
  StorageReport,
  WriteProgress,
} from '../../../workers/protocol.ts';
import type { Engine } from '../engine/workers.ts';
import { MODEL_WORDS } from '../words/models.ts';
import { FIRST_DEFAULTS } from './bundle.ts';
import { addressOf, fetchJson } from './fetching.ts';
import type { NoticesStore } from './notices.ts';
import { failureOf, isAbort } from './sentence.ts';

/** Something that takes a while. */
export interface Work {
  /** What is being brought in or given out. */
  readonly name: string;
  readonly progress: WriteProgress | null;
  /** It ends as soon as it can. */
  readonly cancelling?: boolean;
}

/** A checkpoint that waits for the visitor's word. */
export interface Given {
  readonly files: readonly GivenFile[];
  /** Whether a download brought them, which is of no more use once they are converted. */
  readonly fetched: boolean;
  readonly looked: Extract<Looked, { kind: 'checkpoint' }>;
  /** What was asked at first; what has been answered stays among them. */
  readonly questions: readonly Question[];
  readonly answers: Answers;
  readonly title: string;
  readonly licence: string;
  readonly storage: Storage;
  /** Name of the bundle whose codec is taken over; null for none. */
  readonly codec: string | null;
}

type PublishedModel = Awaited<ReturnType<ModelsWorker['published']>>[number];

/** What a download brings: a model, perhaps with its autoencoder. */
export interface Addresses {
  readonly title: string;
  readonly addresses: readonly string[];
}

export interface ModelsState {
  readonly status: 'unknown' | 'loading' | 'ready' | 'failed';
  /** The model that comes with the page; null when it cannot be described. */
  readonly served: Manifest | null;
  readonly own: readonly LocalBundle[];
  readonly storage: StorageReport;
  readonly given: Given | null;
  /** A download that was broken off; null for none. */
  readonly unfinished: Addresses | null;
  readonly published: readonly PublishedModel[];
  readonly work: Work | null;
  /** Why the last thing did not work, in one sentence. */
  readonly failure: string | null;
}

export interface Models {
  readonly store: StoreApi<ModelsState>;
  refresh(): Promise<void>;
  /** Takes in a bundle, which is given back when that worked; a checkpoint is looked at and waits. */
  bring(files: readonly GivenFile[]): Promise<LocalBundle | null>;
  /** Brings what the addresses name, and goes on as `bring` does; what has come stays when it breaks off. */
  fetch(wanted: Addresses): Promise<LocalBundle | null>;
  /** Removes what downloads have brought. */
  clearDownloads(): Promise<void>;
  /** Changes what is to be made of the checkpoint that waits. */
  settle(patch: Partial<Pick<Given, 'title' | 'licence' | 'storage' | 'codec'>>): void;
  answer(field: Question['field'], value: string | number | boolean): Promise<void>;
  /** Makes a bundle of the checkpoint that waits; the model, when that worked. */
  convert(): Promise<LocalBundle | null>;
  /** Lets the checkpoint be that waits. */
  drop(): void;
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
    given: null,
    unfinished: readUnfinished(),
    published: [],
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
      const published = await engine.models.call((worker) => worker.published());
      store.setState({ status: 'ready', own, storage, published });
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
        const { work: now } = store.getState();
        if (now !== null) store.setState({ work: { ...now, progress } });
      });
    } catch (error) {
      if (!isAbort(error)) store.setState({ failure: failureOf(error).sentence });
      return null;
    } finally {
      store.setState({ work: null });
      await refresh();
    }
  };

  // The types of comlink split what is one of two into two promises.
  const look = (files: readonly GivenFile[], answers: Answers) =>
    engine.models.call((worker) => worker.look([...files], answers) as Promise<Looked>);

  const take = async (
    files: readonly GivenFile[],
    tell: (progress: WriteProgress) => void,
    fetched = false,
  ): Promise<LocalBundle | null> => {
    // A form that is being filled in stays when these files are none.
    const looked = await look(files, {});
    store.setState({ given: null });
    if (looked.kind === 'bundle')
      return engine.models.call((worker) => worker.takeIn([...files], proxy(tell)));
    const { questions, title } = looked;
    const [codec] = codecsFor(looked, store.getState());
    const rest = { answers: {}, licence: '', storage: 'fp16', codec: codec?.name ?? null } as const;
    store.setState({ given: { files, fetched, looked, questions, title, ...rest } });
    return null;
  };

  /** The download is of no more use. Bytes freed. */
  const finish = async (): Promise<number> => {
    keepUnfinished(null);
    store.setState({ unfinished: null });
    return engine.models.call((worker) => worker.clearDownloads());
  };

  return {
    store,
    refresh,
    bring: (files) => working(MODEL_WORDS.these(files.map(({ path }) => path)), (tell) => take(files, tell)),
    fetch: (wanted) =>
      working(wanted.title, async (tell) => {
        const addresses = [...wanted.addresses];
        const { files, notes } = await engine.models.call((worker) =>
          worker.fetchModel(
            addresses,
            proxy((progress: WriteProgress) => {
              tell(progress);
              // From the first bytes on there is something to go on from.
              if (progress.stage === 'connect' || progress.doneBytes === 0) return;
              if (store.getState().unfinished === wanted || store.getState().work === null) return;
              keepUnfinished(wanted);
              store.setState({ unfinished: wanted });
            }),
          ),
        );
        for (const note of notes) notices.say('plain', note);
        const kept = await take(files, tell, true);
        if (kept) await finish();
        return kept;
      }),
    clearDownloads: async () => {
      try {
        notices.say('plain', MODEL_WORDS.forgot(await finish()));
        await refresh();
      } catch (error) {
        store.setState({ failure: failureOf(error).sentence });
      }
    },
    settle: (patch) => {
      const { given } = store.getState();
      if (given) store.setState({ given: { ...given, ...patch } });
    },
    answer: async (field, value) => {
      const { given } = store.getState();
      if (!given) return;
      const answers = { ...given.answers, [field]: value };
      try {
        const looked = await look(given.files, answers);
        const now = store.getState().given;
        if (now?.files !== given.files || looked.kind !== 'checkpoint') return;
        store.setState({ given: { ...now, looked, answers }, failure: null });
      } catch (error) {
        // The answer before it stays.
        store.setState({ failure: failureOf(error).sentence });
      }
    },
    convert: async () => {
      const { given } = store.getState();
      if (!given) return null;
      const { files, answers, storage, title, licence, codec } = given;
      const codecOf = codec === null ? null : addressOf(codec);
      const request = {
        files: [...files],
        answers,
        storage,
        title: title.trim() || 'model',
        licence: licence.trim() || 'not stated',
        codecOf,
      };
      const kept = await working(request.title, (tell) =>
        engine.models.call((worker) => worker.convert(request, proxy(tell))),
      );
      if (kept) {
        store.setState({ given: null });
        if (given.fetched) await finish();
      }
      return kept;
    },
    drop: () => store.setState({ given: null, failure: null }),
    cancel: () => {
      const { work } = store.getState();
      if (work) store.setState({ work: { ...work, cancelling: true } });
      void engine.models.call((worker) => worker.cancel()).catch(() => undefined);
    },
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

/** So that a download goes on after a reload. */
const UNFINISHED = 'nanowm-unfinished-download';

function keepUnfinished(wanted: Addresses | null): void {
  try {
    if (wanted) localStorage.setItem(UNFINISHED, JSON.stringify(wanted));
    else localStorage.removeItem(UNFINISHED);
  } catch {
    // Where nothing may be kept, it has to be asked for again.
  }
}

function readUnfinished(): Addresses | null {
  try {
    const kept = JSON.parse(localStorage.getItem(UNFINISHED) ?? 'null') as Partial<Addresses> | null;
    const { title, addresses } = kept ?? {};
    const texts = Array.isArray(addresses) && addresses.every((each) => typeof each === 'string');
    return typeof title === 'string' && texts ? { title, addresses } : null;
  } catch {
    return null;
  }
}

export interface Codec {
  /** As a run names the bundle. */
  readonly name: string;
  readonly title: string;
}

/** Bundles whose codec has the latents that the checkpoint's model takes; none where it needs none. */
export function codecsFor(
  { architecture, autoencoder, pictures }: Given['looked'],
  { served, own }: Pick<ModelsState, 'served' | 'own'>,
): Codec[] {
  if (architecture === null || autoencoder || !pictures) return [];
  const fits = ({ codec }: Manifest): boolean =>
    codec?.channels === architecture.channels &&
    codec.imageSize[0] / codec.downsampling === architecture.latentHeight &&
    codec.imageSize[1] / codec.downsampling === architecture.latentWidth;
  const all = [
    ...(served ? [{ name: FIRST_DEFAULTS.bundle, manifest: served }] : []),
    ...own.flatMap(({ id, manifest, failure }) =>
      manifest && failure === null ? [{ name: localName(id), manifest }] : [],
    ),
  ];
  return all
    .filter(({ manifest }) => fits(manifest))
    .map(({ name, manifest }) => ({ name, title: manifest.title }));
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
