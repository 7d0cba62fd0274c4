/** Bytes done of how many, and the time that the rest will take at the pace so far. */
import type { WriteProgress } from '../protocol.ts';

/** Milliseconds between two reports, so that a page is not flooded. */
const PAUSE = 100;

/**
 * Reports progress of `totalBytes` to `tell`.
 * @param now milliseconds, any origin
 */
export function createPace(
  totalBytes: number,
  now: () => number,
  tell: (progress: WriteProgress) => void,
): (stage: WriteProgress['stage'], file: string, doneBytes: number) => void {
  const start = now();
  let last = -Infinity;
  return (stage, file, doneBytes) => {
    const time = now();
    if (time - last < PAUSE && doneBytes < totalBytes) return;
    last = time;
    const rate = doneBytes / Math.max(1, time - start); // bytes a millisecond
    const secondsLeft = rate > 0 ? (totalBytes - doneBytes) / rate / 1000 : null;
    tell({ stage, file, doneBytes, totalBytes, secondsLeft });
  };
}
