/**
 * One worker and its only owner: started when first needed, started again after it broke.
 *
 * comlink leaves a call waiting for ever when its worker dies; here every call also waits for that.
 */
import { releaseProxy, wrap } from 'comlink';
import type { Endpoint, Remote } from 'comlink';
import { PlaygroundError } from '../../../models/errors.ts';

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
 * @param onBroken told once for every worker that broke by itself, before its calls are rejected.
 */
export function own<T>(
  name: string,
  start: () => WorkerLike,
  onBroken: (sentence: string) => void,
): Owner<T> {
  let line: Line<T> | null = null;

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
    const onError = (event: unknown) => {
      if (line !== fresh) return;
      const sentence = `missing ${name}: ${reason(event)}; it starts again with the next try`;
      onBroken(sentence);
      drop(fresh, new PlaygroundError('missing', sentence));
    };
    worker.addEventListener('error', onError);
    worker.addEventListener('messageerror', onError);
    return fresh;
  };

  return {
    call: async (work) => {
      line ??= connect();
      const { remote, broken } = line;
      return await Promise.race([work(remote), broken]);
    },
    end: () => {
      if (line) drop(line, new PlaygroundError('aborted', `the ${name} was ended`));
    },
  };
}

function reason(event: unknown): string {
  const message = (event as { message?: unknown } | null)?.message;
  return typeof message === 'string' && message !== ''
    ? message.split('\n')[0]!
    : 'it stopped without a reason';
}
