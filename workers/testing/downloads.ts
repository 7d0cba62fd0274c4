/** A host, a disk, a fast clock and the engine between them, for tests of the download. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadFile } from '../models/download/engine.ts';
import type { Downloaded, Wanted } from '../models/download/engine.ts';
import type { Settings } from '../models/download/job.ts';
import type { DownloadProgress } from '../models/download/meter.ts';
import { folderDisk } from './disk.ts';
import type { TestDisk } from './disk.ts';
import { faultyHost } from './host.ts';
import type { FaultyHost } from './host.ts';

export interface DownloadRig {
  readonly host: FaultyHost;
  readonly disk: TestDisk;
  /** Of the last call of `get`. */
  readonly told: DownloadProgress[];
  /** Pauses that were slept, in milliseconds of the fast clock. */
  readonly slept: number[];
  /** Puts bytes on the host. Returns them. */
  put(path: string, length: number): Uint8Array;
  get(path: string, options?: GetOptions): Promise<Downloaded>;
  close(): Promise<void>;
}

export interface GetOptions {
  readonly name?: string;
  readonly expected?: Wanted['expected'];
  readonly cancelled?: AbortSignal;
  readonly onProgress?: (progress: DownloadProgress) => void;
  readonly settings?: Partial<Settings>;
}

/** Times as fast as the wall's. */
const SPEED = 100;
/** Bytes. */
export const PIECE = 64 << 10;

export async function downloadRig(): Promise<DownloadRig> {
  const folder = mkdtempSync(join(tmpdir(), 'download-'));
  const host = await faultyHost();
  const disk = folderDisk(folder);
  const began = Date.now();
  const rig: DownloadRig = {
    host,
    disk,
    told: [],
    slept: [],
    put(path, length) {
      const bytes = bytesOf(length);
      host.files.set(path, bytes);
      return bytes;
    },
    get(path, { name = 'model.bin', expected, cancelled, onProgress, settings } = {}) {
      rig.told.length = 0;
      return downloadFile(
        { url: `${host.url}${path}`, name, ...(expected && { expected }) },
        {
          fetch: (url, init) => fetch(url, init),
          now: () => began + (Date.now() - began) * SPEED,
          sleep(milliseconds) {
            rig.slept.push(milliseconds);
            return new Promise((resolve) => setTimeout(resolve, milliseconds / SPEED));
          },
          disk,
          // On a busy machine a connection may well be silent for a minute of the fast clock.
          settings: { pieceBytes: PIECE, silence: 1e9, ...settings },
        },
        (progress) => {
          rig.told.push(progress);
          onProgress?.(progress);
        },
        cancelled ?? new AbortController().signal,
      );
    },
    async close() {
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return rig;
}

/** Bytes in which no piece is like another. */
export function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (Math.imul(i, 2654435761) >>> 13) & 255);
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
