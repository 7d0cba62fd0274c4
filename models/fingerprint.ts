/** What exactly a bundle is, as one short text: two bundles of one fingerprint compute the same. */
import type { Manifest } from './bundle/manifest.ts';

/** Hexadecimal digits of each file's SHA-256: 64 bits, which no two files of anybody's share by chance. */
const DIGITS = 16;

/** The id, then the start of each file's SHA-256, in the order of the files' names. */
export function fingerprintOf({ id, files }: Pick<Manifest, 'id' | 'files'>): string {
  const hashes = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { sha256 }]) => sha256.slice(0, DIGITS));
  return [id, ...hashes].join('-');
}
