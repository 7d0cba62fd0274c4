/** What is written down beside a file that is not whole yet, so that a later visit continues it. */
import { bytesOf, readRanges } from './ranges.ts';
import type { Range } from './ranges.ts';

/** By what a server tells one version of a file from another; null where it does not say, or a page may not read it. */
export interface FileVersion {
  readonly etag: string | null;
  /** `Last-Modified`. */
  readonly modified: string | null;
}

export interface DownloadNote {
  readonly version: 1;
  readonly url: string;
  /** Bytes of the whole file. */
  readonly total: number;
  readonly served: FileVersion;
  /** Bytes that are in the file, for sure. */
  readonly done: readonly Range[];
  /** All bytes are here and were checked. */
  readonly complete: boolean;
  /** SHA-256 of the whole, in hexadecimal: found when complete, before that what it should be; null when unknown. */
  readonly sha256: string | null;
}

/**
 * A note from the disk: null when it is none, is of another address or of another file by its SHA-256, or says more
 * than a file of `size` bytes can hold (the browser may have thrown one of the two away).
 */
export function readNote(
  json: unknown,
  { url, sha256 }: { readonly url: string; readonly sha256: string | null },
  size: number,
): DownloadNote | null {
  if (typeof json !== 'object' || json === null) return null;
  const said = json as Partial<Record<keyof DownloadNote, unknown>>;
  if (said.version !== 1 || said.url !== url) return null;
  if (!Number.isSafeInteger(said.total) || (said.total as number) <= 0) return null;
  const total = said.total as number;
  const done = readRanges(said.done, Math.min(size, total));
  const served = readVersion(said.served);
  if (!done || !served) return null;
  const known = typeof said.sha256 === 'string' ? said.sha256 : null;
  if (sha256 !== null && known !== null && known !== sha256) return null;
  const right = sha256 === null || known === sha256;
  const complete = said.complete === true && right && bytesOf(done) === total;
  return { version: 1, url, total, served, done, complete, sha256: sha256 ?? known };
}

function readVersion(json: unknown): FileVersion | null {
  if (typeof json !== 'object' || json === null) return null;
  const { etag, modified } = json as Partial<Record<keyof FileVersion, unknown>>;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { etag: text(etag), modified: text(modified) };
}

/**
 * Whether two answers may be parts of one file. ETags are compared weakly: networks of caches mark them so when they
 * pack the file. Without anything to compare they may be.
 */
export function sameVersion(a: FileVersion, b: FileVersion): boolean {
  if (a.etag !== null && b.etag !== null) return bare(a.etag) === bare(b.etag);
  if (a.modified !== null && b.modified !== null) return a.modified === b.modified;
  return true;
}

function bare(etag: string): string {
  return etag.replace(/^W\//, '');
}
