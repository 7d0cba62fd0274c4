/** How often, and after which pause, a connection is tried again. */
import type { Interrupted } from './interrupted.ts';

/** Tries without a sign of life in between, the first one included. */
export const TRIES = 6;
/** Milliseconds before the second try; twice as many before each further one. */
const FIRST_PAUSE = 1000;
/** A server that asks for more than this many milliseconds gets its wish, but not from an open page. */
const LONGEST_PAUSE = 120_000;

export interface Patience {
  /** Waits for the next try. @throws what `giveUp` makes of the error after the last one; when stopped. */
  again(error: Interrupted): Promise<void>;
  /** Bytes came: tries count from the beginning. */
  progressed(): void;
}

export interface PatienceOptions {
  sleep(milliseconds: number): Promise<void>;
  /** Told before a pause (seconds, whole), and null after it. */
  waiting(error: Interrupted, seconds: number | null): void;
  giveUp(error: Interrupted): Error;
  readonly stop: AbortSignal;
}

export function createPatience({ sleep, waiting, giveUp, stop }: PatienceOptions): Patience {
  let failures = 0;
  return {
    async again(error) {
      failures++;
      const pause = error.wait ?? FIRST_PAUSE * 2 ** (failures - 1);
      if (failures >= TRIES || pause > LONGEST_PAUSE) throw giveUp(error);
      waiting(error, Math.ceil(pause / 1000));
      await orStopped(sleep(pause), stop);
      waiting(error, null);
    },
    progressed: () => void (failures = 0),
  };
}

/** `work`, unless `stop` comes first. @throws the reason of `stop` */
function orStopped(work: Promise<void>, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopped = () => reject(stop.reason as Error);
    if (stop.aborted) return stopped();
    stop.addEventListener('abort', stopped, { once: true });
    void work.then(resolve, reject).finally(() => stop.removeEventListener('abort', stopped));
  });
}
