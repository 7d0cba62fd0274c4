/** Takes in a bundle that was made elsewhere, each file checked against its manifest. */
import { freeId } from '../../models/bundle/local.ts';
import { parseManifest } from '../../models/bundle/manifest.ts';
import { invalid, missing } from '../../models/errors.ts';
import { parseJson } from '../../models/files/json.ts';
import type { ByteSource } from '../../models/files/source.ts';
import { openZip } from '../../models/files/zip.ts';
import { sha256 } from '../inference/sha256.ts';
import type { GivenFile, LocalBundle, WriteProgress } from '../protocol.ts';
import type { Bundles } from './bundles.ts';
import { createPace } from './pace.ts';

const MANIFEST = 'manifest.json';

/** A file of a folder or of an archive. */
interface Piece {
  readonly path: string;
  readonly size: number;
  read(): Promise<Uint8Array>;
}

export interface Taking {
  /** The bytes of a blob, to be read where they are needed. */
  readonly open: (blob: Blob, label: string) => Promise<ByteSource>;
  /** Milliseconds, any origin. */
  readonly now: () => number;
  readonly onProgress: (progress: WriteProgress) => void;
  /** Awaited before each file: throws to end the work. */
  readonly pause: () => Promise<void>;
}

/**
 * @param files the files of the bundle's folder, in any folder, or one zip that holds them
 * @throws one sentence: no manifest among them, a field of it, a file that is missing, altered or cut short
 */
export async function takeIn(
  files: readonly GivenFile[],
  bundles: Bundles,
  { open, now, onProgress, pause }: Taking,
): Promise<LocalBundle> {
  const pieces = await piecesOf(files, open);
  const found = findManifest(pieces);
  const manifest = parseManifest(
    parseJson(new TextDecoder().decode(await found.piece.read()), found.piece.path),
  );
  const wanted = Object.entries(manifest.files).map(([name, stated]) => {
    const piece = pieces.find(({ path }) => path === found.folder + name);
    if (!piece)
      throw missing('file', name, `the manifest of '${manifest.id}' names it; add it to the folder`);
    if (piece.size !== stated.bytes) {
      const sizes = `${name}, ${String(piece.size)} bytes`;
      throw invalid('file', sizes, `the manifest says ${String(stated.bytes)}; get the bundle again`);
    }
    return { name, piece, stated };
  });
  const taken = new Set((await bundles.list()).map(({ id }) => id));
  const id = freeId(manifest.id, taken);
  const pace = createPace(
    wanted.reduce((sum, { stated }) => sum + stated.bytes, 0),
    now,
    onProgress,
  );
  return bundles.add(id, async (sink) => {
    let done = 0;
    for (const { name, piece, stated } of wanted) {
      await pause();
      pace('read', name, done);
      const bytes = await piece.read();
      if ((await sha256(bytes)) !== stated.sha256)
        throw invalid(
          'file',
          name,
          'its SHA-256 is not the one that the manifest states; get the bundle again',
        );
      await sink.write(name, bytes);
      done += bytes.length;
      pace('write', name, done);
    }
    await pause();
    const text = `${JSON.stringify({ ...manifest, id }, null, 2)}\n`;
    await sink.write(MANIFEST, new TextEncoder().encode(text));
  });
}

async function piecesOf(files: readonly GivenFile[], open: Taking['open']): Promise<Piece[]> {
  const [only, ...others] = files;
  if (only && others.length === 0 && only.path.toLowerCase().endsWith('.zip'))
    return openZip(await open(only.blob, only.path)).map((entry) => ({
      path: entry.name,
      size: entry.size,
      read: () => Promise.resolve(entry.read()),
    }));
  return files.map(({ path, blob }) => ({
    path,
    size: blob.size,
    read: async () => new Uint8Array(await blob.arrayBuffer()),
  }));
}

/** The manifest nearest to the top: archives and folders often hold the bundle in a folder of its name. */
function findManifest(pieces: readonly Piece[]): { piece: Piece; folder: string } {
  const depth = (path: string) => path.split('/').length;
  const [piece] = pieces
    .filter(({ path }) => path === MANIFEST || path.endsWith(`/${MANIFEST}`))
    .sort((a, b) => depth(a.path) - depth(b.path));
  if (piece) return { piece, folder: piece.path.slice(0, -MANIFEST.length) };
  throw missing('manifest.json', 'among these files', 'give the whole folder of a bundle, or a zip of it');
}
