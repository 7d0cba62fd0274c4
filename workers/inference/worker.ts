/** The inference worker's requests, one at a time: what is open, what runs, what happens when a device is lost. */
import { missing } from '../../models/errors.ts';
import type { InferenceWorker, OpenRequest, RunEvent, RunRequest } from '../protocol.ts';
import type { RunResult } from '../../models/run.ts';
import { handOver, withCallback } from '../wire.ts';
import { openBundle } from './bundle.ts';
import type { Host, OpenBundle } from './bundle.ts';
import { rungsFor } from './device.ts';
import { runGraph } from './graph.ts';
import { DeviceLost } from './loss.ts';
import type { Queue } from './queue.ts';
import { runOn } from './run.ts';
import { createRuns } from './runs.ts';
import { firstLine } from './words.ts';

interface Held {
  readonly request: OpenRequest;
  readonly bundle: OpenBundle;
}

/**
 * @param requests one queue for whole requests; @param calls another for calls into the runtime, which a
 *   request makes while it holds the first
 */
export function createInference(host: Host, requests: Queue, calls: Queue): InferenceWorker {
  const runs = createRuns();
  let held: Held | null = null;

  /** One model at a time: the memory of the last one is freed before the next comes in. */
  async function close(): Promise<void> {
    const bundle = held?.bundle;
    held = null;
    await bundle?.close();
  }

  /** The run, and once more from its first row on the next rung when the device goes away under it. */
  async function runHeld(
    request: RunRequest,
    tell: (event: RunEvent) => void,
    cancelled: () => boolean,
  ): Promise<RunResult> {
    if (!held) throw missing('model', 'none is open', 'open a bundle, then run');
    try {
      return await runOn(held.bundle, request, tell, cancelled, host.now);
    } catch (error) {
      if (!(error instanceof DeviceLost)) throw error;
      const { request: opening, bundle } = held;
      await close();
      const before = [...bundle.opened.device.fallbacks, `${firstLine(error)}.`];
      const next = await openBundle(opening.url, ['wasm'], before, host, () => undefined);
      held = { request: opening, bundle: next };
      tell({ kind: 'device', device: next.opened.device });
      return runOn(next, request, tell, cancelled, host.now);
    }
  }

  return {
    open: (request, onProgress) =>
      withCallback(onProgress, (tell) =>
        requests(async () => {
          if (held?.request.url === request.url && held.request.backend === request.backend) {
            return held.bundle.opened;
          }
          await close();
          const bundle = await openBundle(request.url, rungsFor(request.backend), [], host, tell);
          held = { request, bundle };
          return bundle.opened;
        }),
      ),
    run: (request, onEvent) =>
      withCallback(onEvent, (tell) =>
        runs.during(request.id, (cancelled) =>
          requests(async () => handOver(await runHeld(request, tell, cancelled))),
        ),
      ),
    cancel: (runId) => Promise.resolve(runs.cancel(runId)),
    runGraph: (request) => requests(async () => handOver(await runGraph(request, calls))),
    forget: () => requests(() => host.store.forget()),
  };
}
