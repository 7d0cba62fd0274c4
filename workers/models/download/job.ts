/** What the ways of transferring a file share. */
import type { Network } from './ask.ts';
import type { Landed, Landing } from './landing.ts';
import type { Meter } from './meter.ts';
import type { Patience } from './patience.ts';

export interface Settings {
  /** Requests at one time. */
  readonly connections: number;
  /** Bytes of one request. */
  readonly pieceBytes: number;
  /** Milliseconds without a byte after which a connection counts as dead. */
  readonly silence: number;
}

/** Four connections leave two of the six that browsers allow to a host over HTTP/1.1. */
export const SETTINGS: Settings = { connections: 4, pieceBytes: 8 << 20, silence: 60_000 };

export interface Job {
  readonly wanted: Landed;
  readonly network: Network;
  readonly settings: Settings;
  readonly landing: Landing;
  readonly meter: Meter;
  readonly cancelled: AbortSignal;
  /** Tells the visitor a sentence, and keeps it for the result. */
  say(sentence: string): void;
  patience(stop: AbortSignal): Patience;
}
