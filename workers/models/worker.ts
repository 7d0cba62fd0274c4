/** The models worker's requests: looking and giving out at any time, writing one at a time. */
import { aborted } from '../../models/errors.ts';
import type { ByteSource } from '../../models/files/source.ts';
import type { Fetch } from '../inference/download.ts';
import type { Queue } from '../inference/queue.ts';
import type { ModelsWorker } from '../protocol.ts';
import { withCallback } from '../wire.ts';
import type { Bundles } from './bundles.ts';
import { convert, look } from './convert.ts';
import { PUBLISHED } from './download/published.ts';
import { fetchModel } from './fetch-model.ts';
import type { FetchDeps } from './fetch-model.ts';
import { asZip } from './give-out.ts';
import { takeIn } from './take-in.ts';

export interface ModelsHost {
  /** The bytes of a blob, to be read where they are needed. */
  readonly open: (blob: Blob, label: string) => Promise<ByteSource>;
  readonly fetch: Fetch;
  readonly bundles: Bundles;
  readonly downloads: FetchDeps;
  readonly clearDownloads: ModelsWorker['clearDownloads'];
  readonly storage: ModelsWorker['storage'];
  /** Milliseconds, any origin. */
  readonly now: () => number;
}

export function createModels(
  { open, fetch, bundles, downloads, clearDownloads, storage, now }: ModelsHost,
  writes: Queue,
): ModelsWorker {
  /** Counts the requests to end: work that began before the last one ends. */
  let ended = 0;
  let stop = new AbortController();

  const writing = () => {
    const mine = ended;
    return async (): Promise<void> => {
      // Lets the request to end come in.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (mine !== ended) throw aborted('bringing in the model');
    };
  };

  return {
    list: () => bundles.list(),
    storage,
    manifest: (id) => bundles.manifest(id),
    takeIn: (files, onProgress) =>
      withCallback(onProgress, (tell) => {
        const pause = writing();
        return writes(() => takeIn(files, bundles, { open, now, onProgress: tell, pause }));
      }),
    look: (files, answers) => look(files, answers, open),
    convert: (request, onProgress) =>
      withCallback(onProgress, (tell) => {
        const pause = writing();
        return writes(() => convert(request, bundles, fetch, { open, now, onProgress: tell, pause }));
      }),
    asZip: (id) => asZip(id, bundles),
    remove: (id) => bundles.remove(id),
    published: () => Promise.resolve(PUBLISHED),
    fetchModel: (addresses, onProgress) =>
      withCallback(onProgress, (tell) => fetchModel(addresses, downloads, tell, stop.signal)),
    clearDownloads,
    cancel: () => {
      ended++;
      stop.abort();
      stop = new AbortController();
      return Promise.resolve();
    },
  };
}
