/** What the visitor is told while a file comes: bytes, time left, and sentences about what happened. */

export interface DownloadProgress {
  readonly stage: 'connect' | 'download' | 'verify';
  /** Bytes that are here (`verify`: that were checked). */
  readonly bytes: number;
  /** Bytes of the whole file; null while nobody knows. */
  readonly total: number | null;
  /** Bytes that an earlier visit had left. */
  readonly resumed: number;
  /** By the rate of the last seconds; null while there is none. */
  readonly secondsLeft: number | null;
  /** What happened last that is worth a sentence: a wait, a new start; null when all is as it should be. */
  readonly note: string | null;
}

/** Milliseconds between two reports. */
const REPORT_EVERY = 100;
/** The rate is that of the last so many milliseconds, and none before it covers the second number. */
const RATE_OVER = 5000;
const RATE_AFTER = 500;

export interface Meter {
  /** Where things stand; told at most ten times a second, and at once when the stage changes. */
  at(stage: DownloadProgress['stage'], bytes: number, total: number | null): void;
  /** Says a sentence at once, or takes the last one back. */
  say(note: string | null): void;
  /** Bytes that were there before. */
  resumed: number;
}

/** @param now milliseconds, any origin */
export function createMeter(now: () => number, tell: (progress: DownloadProgress) => void): Meter {
  let stage: DownloadProgress['stage'] = 'connect';
  let bytes = 0;
  let total: number | null = null;
  let note: string | null = null;
  let told = -Infinity;
  /** Points of the last seconds, oldest first. */
  let points: { readonly time: number; readonly bytes: number }[] = [];

  function report(time: number): void {
    told = time;
    tell({ stage, bytes, total, resumed: meter.resumed, secondsLeft: secondsLeft(), note });
  }

  function secondsLeft(): number | null {
    const first = points[0];
    const last = points.at(-1);
    if (!first || !last || total === null || last.time - first.time < RATE_AFTER) return null;
    const rate = (last.bytes - first.bytes) / (last.time - first.time); // bytes a millisecond
    return rate > 0 ? Math.max(0, total - bytes) / rate / 1000 : null;
  }

  const meter: Meter = {
    resumed: 0,
    at(nextStage, nextBytes, nextTotal) {
      const time = now();
      // Verifying has a rate of its own; and a download that starts again must not look as if it ran backwards.
      const fresh = nextStage !== stage || nextBytes < bytes;
      if (fresh) points = [];
      const due = fresh || time - told >= REPORT_EVERY || nextBytes === nextTotal;
      stage = nextStage;
      bytes = nextBytes;
      total = nextTotal;
      if (!due) return;
      points = [...points.filter((point) => time - point.time <= RATE_OVER), { time, bytes }];
      report(time);
    },
    say(next) {
      if (next === note) return;
      note = next;
      report(now());
    },
  };
  return meter;
}
