/** How far a long piece of work is: bytes, speed, time left. */
import { bytes, progress } from '../output.ts';

export interface Meter {
  /** Bytes done since the last call. */
  add(count: number): void;
  /** Bytes done altogether, and of how many. */
  set(done: number, total: number): void;
}

/** Seconds between two lines: more would only flicker. */
const PAUSE = 0.1;

/**
 * @param what `reading`, `writing`
 * @param clock seconds from any start
 * @param show gets each line
 */
export function meter(
  what: string,
  total: number,
  clock: () => number = () => performance.now() / 1000,
  show: (line: string) => void = progress,
): Meter {
  const began = clock();
  let shownAt = -Infinity;
  let done = 0;
  let all = total;
  const tell = () => {
    const now = clock();
    if (now - shownAt < PAUSE && done < all) return;
    shownAt = now;
    show(line(what, done, all, now - began));
  };
  return {
    add: (count) => {
      done += count;
      tell();
    },
    set: (count, of) => {
      [done, all] = [count, of];
      tell();
    },
  };
}

function line(what: string, done: number, total: number, seconds: number): string {
  const known = Math.max(total, done);
  const head = `${what} ${bytes(done)} of ${bytes(known)}`;
  if (seconds < 0.5 || done === 0) return head;
  const speed = done / seconds;
  return `${head}, ${bytes(speed)}/s, ${String(Math.ceil((known - done) / speed))} s left`;
}
