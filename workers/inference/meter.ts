/** Counts the bytes of a bundle over all its files and guesses the seconds left. */
import type { LoadProgress } from '../protocol.ts';
import { nameOf } from './download.ts';
import type { StoredFile } from './store.ts';

/** Between two reports of one file, milliseconds: often enough for a smooth bar, too rarely to cost anything. */
const REPORT_EVERY = 50;
/** A rate over less than this many milliseconds says nothing. */
const RATE_AFTER = 250;

export interface Meter {
  /** The whole file came from the store. */
  fromStore(file: StoredFile): void;
  /** `count` bytes of the file have come from the network so far. */
  fromNetwork(file: StoredFile, count: number): void;
  /** The file is complete and is being hashed. */
  verifying(file: StoredFile): void;
}

/** @param now milliseconds, any origin */
export function createMeter(
  files: readonly StoredFile[],
  now: () => number,
  report: (progress: LoadProgress) => void,
): Meter {
  const totalBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  /** Bytes of the files that are complete; of these, from the network. */
  let complete = 0;
  let fetched = 0;
  let began: number | null = null;
  let told = -Infinity;

  function tell(stage: 'download' | 'verify', file: StoredFile, part: number, stored: boolean): void {
    const loadedBytes = complete + part;
    const spent = began === null ? 0 : now() - began;
    const rate = spent >= RATE_AFTER ? (fetched + part) / spent : 0;
    const secondsLeft = rate > 0 ? (totalBytes - loadedBytes) / rate / 1000 : null;
    report({ stage, file: nameOf(file.url), loadedBytes, totalBytes, stored, secondsLeft });
  }

  return {
    fromStore(file) {
      complete += file.bytes;
      tell('download', file, 0, true);
    },
    fromNetwork(file, count) {
      began ??= now();
      if (now() - told < REPORT_EVERY && count < file.bytes) return;
      told = now();
      tell('download', file, count, false);
    },
    verifying(file) {
      complete += file.bytes;
      fetched += file.bytes;
      tell('verify', file, 0, false);
    },
  };
}
