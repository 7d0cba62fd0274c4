/** Files of the command line: read with a sentence when they are not there, written whole or not at all. */
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
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

/** Writes beside the target first and renames, so that an interrupted command leaves no half file. */
export async function writeWhole(path: string, data: Uint8Array | string): Promise<void> {
  await mkdir(dirname(resolve(path)), { recursive: true });
  const folder = await mkdtemp(join(dirname(resolve(path)), '.partial-'));
  try {
    const partial = join(folder, basename(path));
    await writeFile(partial, data);
    await rename(partial, path);
  } catch (error) {
    throw invalid('output', path, `it cannot be written (${codeOf(error)})`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function unreadable(path: string, error: unknown): Error {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return missing('file', path, 'give the path of an existing file');
  if (code === 'EISDIR') return invalid('file', path, 'it is a folder; give a file in it');
  return invalid('file', path, `it cannot be read (${code})`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
