/** A bundle as one zip archive, its files stored as they are. */
import { Zip, ZipPassThrough } from 'fflate';
import type { Bundles } from './bundles.ts';

/** Bytes read at a time. */
const PIECE = 8 * 2 ** 20;

/** The archive `ID/FILE...`. Its parts become blobs one by one, which the browser may keep on disk. */
export async function asZip(id: string, bundles: Bundles): Promise<Blob> {
  const manifest = await bundles.manifest(id);
  const parts: Blob[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]));
  });
  for (const name of ['manifest.json', ...Object.keys(manifest.files)]) {
    const file = await bundles.file(id, name);
    const entry = new ZipPassThrough(`${id}/${name}`);
    entry.mtime = file.lastModified;
    zip.add(entry);
    for (let at = 0; at < file.size; at += PIECE)
      entry.push(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()));
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
  return new Blob(parts, { type: 'application/zip' });
}
