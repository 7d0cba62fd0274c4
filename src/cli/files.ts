/** Files of the command line: read with a sentence when they are not there, written whole or not at all. */
import { constants, existsSync, rmSync } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { invalid, missing } from '../../models/errors.ts';
import { parseJson } from '../../models/files/json.ts';

/** The bytes of a file. @throws one sentence when it is not there, a folder, or cannot be read. */
export async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

export async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(path));
}

/** The value in a JSON file. @throws one sentence that names the file and the place of the fault. */
export async function readJson(path: string): Promise<unknown> {
  return parseJson(await readText(path), path);
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Folders of files that are being written; what is left of them when the process ends goes with it. */
const partials = new Set<string>();
process.on('exit', () => {
  for (const folder of partials) rmSync(folder, { recursive: true, force: true });
});

/** Writes beside the target first and renames, so that an interrupted command leaves no half file. */
export async function writeWhole(path: string, data: Uint8Array | string): Promise<void> {
  let folder: string | undefined;
  try {
    await makeFolder(dirname(resolve(path)));
    folder = await mkdtemp(join(dirname(resolve(path)), '.partial-'));
    partials.add(folder);
    const partial = join(folder, basename(path));
    await writeFile(partial, data);
    await rename(partial, path);
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    if (folder !== undefined) {
      await rm(folder, { recursive: true, force: true });
      partials.delete(folder);
    }
  }
}

/** Files that appear in a folder together, or not at all. */
export interface Output {
  write(name: string, data: Uint8Array | string): Promise<void>;
  /** Moves them in. The last one vouches for the others (a manifest, a result): its old version goes first. */
  commit(): Promise<void>;
  /** Removes what was not moved in; to be called in any case. */
  close(): Promise<void>;
}

/** Makes `folder` where it is not there yet. @throws one sentence when it cannot be written to */
export async function openOutput(folder: string): Promise<Output> {
  await outputFolder(folder);
  const said = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw unwritable(folder, error);
    }
  };
  const partial = await said(mkdtemp(join(resolve(folder), '.partial-')));
  partials.add(partial);
  const names: string[] = [];
  return {
    write: async (name, data) => {
      await said(writeFile(join(partial, name), data));
      names.push(name);
    },
    commit: async () => {
      const last = names.at(-1);
      if (last !== undefined) await said(rm(join(folder, last), { force: true }));
      for (const name of names) await said(rename(join(partial, name), join(folder, name)));
    },
    close: async () => {
      await rm(partial, { recursive: true, force: true });
      partials.delete(partial);
    },
  };
}

/** Says that a folder cannot be written to before the work is done, not after; makes nothing. */
export async function checkFolder(path: string): Promise<void> {
  let at = resolve(path);
  while (!existsSync(at)) at = dirname(at);
  try {
    if ((await stat(at)).isDirectory()) return await access(at, constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
  throw invalid('output', path, REASONS.ENOTDIR);
}

/** Makes the folder that a command writes to. @throws one sentence when it cannot be */
export async function outputFolder(path: string): Promise<void> {
  try {
    await makeFolder(resolve(path));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** `path` and the folders above it. Node's own `recursive` never comes back where nothing can be made, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || above === path || existsSync(above)) throw error;
    await makeFolder(above);
    await makeFolder(path);
  }
}

const REASONS = {
  EISDIR: 'it is a folder; give the path of a file',
  ENOTDIR: 'a part of its path is a file; choose another',
  EEXIST: 'a part of its path is a file; choose another',
  EACCES: 'writing is not allowed there; choose another folder',
  EROFS: 'writing is not allowed there; choose another folder',
  ENOSPC: 'the disk is full; make room or choose another folder',
} as const;

/** Why `path` cannot be written, and what to do. */
function unwritable(path: string, error: unknown): Error {
  const code = codeOf(error);
  return invalid(
    'output',
    path,
    (REASONS as Readonly<Record<string, string>>)[code] ??
      `it cannot be written (${code}); choose another path`,
  );
}

function unreadable(path: string, error: unknown): Error {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return missing('file', path, 'give the path of an existing file');
  if (code === 'EISDIR') return invalid('file', path, 'it is a folder; give a file in it');
  return invalid('file', path, `it cannot be read (${code}); give a file that can`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
