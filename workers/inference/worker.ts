/** The inference worker's requests, one at a time: what is open, what runs, what happens when a device is lost. */
import { missing } from '../../models/errors.ts';
import type {
  InferenceWorker,
  OpenRequest,
  RunEvent,
  RunRequest,
  SelfTest,
  SelfTestProgress,
} from '../protocol.ts';
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
import { reasonToLeave, selfTest } from './self-test.ts';
import { firstLine } from './words.ts';

/** Its place among the runs that can be cancelled; the page's own have other names. */
const SELF_TEST = 'self-test';

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
      const next = await leave(held, `${firstLine(error)}.`);
      tell({ kind: 'device', device: next.opened.device });
      return runOn(next, request, tell, cancelled, host.now);
    }
  }

  /** The same bundle on the last rung, because of `sentence`. */
  async function leave({ request, bundle }: Held, sentence: string): Promise<OpenBundle> {
    await close();
    const before = [...bundle.opened.device.fallbacks, sentence];
    const next = await openBundle(request.url, ['wasm'], before, host, () => undefined);
    held = { request, bundle: next };
    return next;
  }

  async function testHeld(
    tell: (progress: SelfTestProgress) => void,
    cancelled: () => boolean,
  ): Promise<SelfTest> {
    if (!held) throw missing('model', 'none is open', 'open a bundle, then test it');
    const { request, bundle } = held;
    let found: Omit<SelfTest, 'reopened'>;
    let sentence: string | null;
    try {
      found = await selfTest(bundle, request.url, host, tell, cancelled);
      sentence = reasonToLeave(found);
    } catch (error) {
      if (!(error instanceof DeviceLost)) throw error;
      found = { device: bundle.opened.device, graphs: [], verdict: 'off' };
      sentence = `${firstLine(error)}.`;
    }
    if (sentence === null) return { ...found, reopened: null };
    const { opened } = await leave(held, sentence);
    return { ...found, reopened: { sentence, opened } };
  }

  /** A self-test gives way to whatever else is wanted. */
  const giveWay = (): void => runs.cancel(SELF_TEST);

  return {
    open: (request, onProgress) =>
      withCallback(onProgress, (tell) => {
        giveWay();
        return requests(async () => {
          if (held?.request.url === request.url && held.request.backend === request.backend) {
            return held.bundle.opened;
          }
          await close();
          const rungs = rungsFor(request.backend);
          const bundle = await openBundle(request.url, rungs, [], host, tell, request.distrusted);
          held = { request, bundle };
          return bundle.opened;
        });
      }),
    run: (request, onEvent) =>
      withCallback(onEvent, (tell) => {
        giveWay();
        return runs.during(request.id, (cancelled) =>
          requests(async () => handOver(await runHeld(request, tell, cancelled))),
        );
      }),
    cancel: (runId) => Promise.resolve(runs.cancel(runId)),
    runGraph: (request) => {
      giveWay();
      return requests(async () => handOver(await runGraph(request, calls)));
    },
    selfTest: (onProgress) =>
      withCallback(onProgress, (tell) =>
        runs.during(SELF_TEST, (cancelled) => requests(() => testHeld(tell, cancelled))),
      ),
    forget: () => {
      giveWay();
      return requests(() => host.store.forget());
    },
  };
}
