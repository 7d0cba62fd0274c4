/** Entry of the worker that holds onnxruntime and the weights. */
import { expose } from 'comlink';
import { openPlatform } from './inference/platform.ts';
import { createQueue } from './inference/queue.ts';
import { createStore } from './inference/store.ts';
import { createInference } from './inference/worker.ts';
import { besideLocal, fetchLocalToo } from './models/opfs.ts';

/** Cache Storage is shared by all pages of an origin: the name keeps us apart from our neighbours. */
const SHELF = 'nanowm-playground-weights-1';

const requests = createQueue();
const calls = createQueue();

expose(
  createInference(
    {
      fetch: fetchLocalToo((url, init) => fetch(url, init)),
      // Throws where there is no Cache Storage, which the store takes as an answer.
      store: besideLocal(createStore(async () => caches.open(SHELF))),
      now: () => performance.now(),
      openPlatform: (backend) => openPlatform(backend, false, calls),
    },
    requests,
    calls,
  ),
);
