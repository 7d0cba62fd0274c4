/** Entry of the worker that keeps the visitor's own bundles. */
import { expose } from 'comlink';
import { sourceOfBlob } from './blob-source.ts';
import { createQueue } from './inference/queue.ts';
import { createBundles } from './models/bundles.ts';
import { bundlesFolder, fetchLocalToo } from './models/opfs.ts';
import { storageReport, tabLock } from './models/browser.ts';
import { createModels } from './models/worker.ts';

expose(
  createModels(
    {
      open: (blob, label) => Promise.resolve(sourceOfBlob(blob, label, new FileReaderSync())),
      fetch: fetchLocalToo((url, init) => fetch(url, init)),
      bundles: createBundles(bundlesFolder, tabLock),
      storage: storageReport,
      now: () => performance.now(),
    },
    createQueue(),
  ),
);
