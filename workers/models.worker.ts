/** Entry of the worker that keeps the visitor's own bundles. */
import { expose } from 'comlink';
import { sourceOfBlob } from './blob-source.ts';
import { createQueue } from './inference/queue.ts';
import { clearDownloads, createDownloadDisk, downloaded } from './models/download-disk.ts';
import { createBundles } from './models/bundles.ts';
import { bundlesFolder, downloadsFolder, fetchLocalToo } from './models/opfs.ts';
import { storageReport, tabLock } from './models/browser.ts';
import { createModels } from './models/worker.ts';

expose(
  createModels(
    {
      open: (blob, label) => Promise.resolve(sourceOfBlob(blob, label, new FileReaderSync())),
      fetch: fetchLocalToo((url, init) => fetch(url, init)),
      bundles: createBundles(bundlesFolder, tabLock),
      downloads: {
        fetch: (url, init) => fetch(url, init),
        now: () => Date.now(),
        sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
        disk: createDownloadDisk(downloadsFolder),
        file: async (name) => downloaded(await downloadsFolder(), name),
      },
      clearDownloads: async () => clearDownloads(await downloadsFolder()),
      storage: storageReport,
      now: () => performance.now(),
    },
    createQueue(),
  ),
);
