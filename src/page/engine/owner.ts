/**
 * One worker and its only owner: started when first needed, started again after it broke.
 *
 * comlink leaves a call waiting for ever when its worker dies; here every call also waits for that.
 */
import { releaseProxy, wrap } from 'comlink';
import type { Endpoint, Remote } from 'comlink';
import { PlaygroundError, missing } from '../../../models/errors.ts';

/** What this module needs of a Worker, so that tests can stand in for one. */
export interface WorkerLike extends Endpoint {
  terminate(): void;
  addEventListener(type: string, listener: (event: unknown) => void): void;
}

interface Line<T> {
  readonly worker: WorkerLike;
  readonly remote: Remote<T>;
  /** Rejects when the worker breaks or is ended. */
  readonly broken: Promise<never>;
  readonly breakWith: (error: Error) => void;
}

export interface Owner<T> {
  /** Calls the worker, starting it when there is none. @throws `missing` when the worker breaks meanwhile. */
  call<R>(work: (remote: Remote<T>) => Promise<R>): Promise<R>;
  /** Ends the worker and frees its memory; the next call starts a fresh one. Calls under way are rejected as aborted. */
  end(): void;
}

/**
 * @param name the worker in the reader's words, for example `model worker`.
 * @param onBroken told once for every worker that broke by itself, before its calls are rejected; `heard` when a
 *   call was under way, whose caller gets the same sentence.
 */
export function own<T>(
  name: string,
  start: () => WorkerLike,
  onBroken: (sentence: string, heard: boolean) => void,
): Owner<T> {
  let line: Line<T> | null = null;

  let calls = 0;

  const drop = (old: Line<T>, error: Error) => {
    if (line === old) line = null;
    old.worker.terminate();
    old.remote[releaseProxy]();
    old.breakWith(error);
  };

  const connect = (): Line<T> => {
    const worker = start();
    let breakWith: (error: Error) => void = () => undefined;
    const broken = new Promise<never>((_, reject) => (breakWith = reject));
    broken.catch(() => undefined);
    const fresh: Line<T> = { worker, remote: wrap<T>(worker), broken, breakWith };
    let arrived = false;
    worker.addEventListener('message', () => (arrived = true));
    const onError = (event: unknown) => {
      if (line !== fresh) return;
      const error = missing(name, ...reason(event, arrived));
      onBroken(error.message, calls > 0);
      drop(fresh, error);
    };
    worker.addEventListener('error', onError);
    worker.addEventListener('messageerror', onError);
    return fresh;
  };

  return {
    call: async (work) => {
      line ??= connect();
      const { remote, broken } = line;
      calls++;
      try {
        return await Promise.race([work(remote), broken]);
      } finally {
        calls--;
      }
    },
    end: () => {
      if (line) drop(line, new PlaygroundError('aborted', `the ${name} was ended`));
    },
  };
}

/**
 * What happened, and what to do. A script that throws has a message; one that was not there, or was a page in its
 * place, has none.
 */
function reason(event: unknown, arrived: boolean): [what: string, remedy: string] {
  const again = 'it starts again with the next try';
  const message = (event as { message?: unknown } | null)?.message;
  if (typeof message === 'string' && message !== '') return [message.split('\n')[0]!, again];
  if (arrived) return ['it stopped without a reason', again];
  return [
    'its file did not arrive',
    'check the connection, or that the folder at the host is complete, and try again',
  ];
}
