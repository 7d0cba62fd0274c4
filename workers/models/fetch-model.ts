/** Brings a model from elsewhere onto the disk: what an address means, its files one after the other, resumed. */
import { parseManifest } from '../../models/bundle/manifest.ts';
import { downloadJson } from '../inference/download.ts';
import type { GivenFile, WriteProgress } from '../protocol.ts';
import { fileUrl, HUB, readAddress } from './download/address.ts';
import type { ModelAddress, Repository } from './download/address.ts';
import { choicesOf } from './download/choices.ts';
import type { Choice, RepositoryFile } from './download/choices.ts';
import { downloadFile } from './download/engine.ts';
import type { DownloadDeps, Wanted } from './download/engine.ts';
import { listRepository } from './download/hub.ts';
import { unreachable } from './download/refusals.ts';

export interface FetchDeps extends DownloadDeps {
  /** A file that has come whole. */
  readonly file: (name: string) => Promise<File>;
  /** Where repositories are asked for; the hub itself unless given. */
  readonly hub?: string;
}

/** Files on the disk, and what there is to say of them. */
export interface Fetched {
  readonly files: readonly GivenFile[];
  /** Sentences about what happened on the way, and what else there was to choose. */
  readonly notes: readonly string[];
}

/** One file to come, and its path among the others. */
interface Item extends Wanted {
  readonly path: string;
}

/**
 * @param typed addresses as readAddress takes them, such as a model's and its autoencoder's
 * @throws one sentence: an address that means nothing, a host that does not answer, a file that is none; `aborted`
 */
export async function fetchModel(
  typed: readonly string[],
  deps: FetchDeps,
  onProgress: (progress: WriteProgress) => void,
  cancelled: AbortSignal,
): Promise<Fetched> {
  const notes: string[] = [];
  const items: Item[] = [];
  for (const [place, text] of typed.entries()) {
    onProgress({ stage: 'connect', file: text, doneBytes: 0, totalBytes: 0, secondsLeft: null });
    // Each in a folder of its own: a config belongs to the weights beside it.
    const folder = typed.length > 1 ? `${String(place + 1)}/` : '';
    const found = await itemsOf(readAddress(text, deps.hub), deps, cancelled, notes);
    items.push(...found.map((item) => ({ ...item, path: folder + item.path })));
  }
  const known = items.reduce((sum, { expected }) => sum + (expected?.bytes ?? 0), 0);
  let before = 0;
  const files: GivenFile[] = [];
  for (const item of items) {
    const done = await downloadFile(
      item,
      deps,
      ({ stage, bytes, total, secondsLeft, note }) =>
        onProgress({
          stage,
          file: nameOf(item.path),
          doneBytes: before + bytes,
          totalBytes: Math.max(known, before + (total ?? bytes)),
          secondsLeft: rest(secondsLeft, bytes, total, known - before),
          note,
        }),
      cancelled,
    );
    before += done.bytes;
    notes.push(...done.notes);
    files.push({ path: item.path, blob: await deps.file(item.name) });
  }
  return { files, notes };
}

/** Seconds for what is left of all files, from those for what is left of this one. */
function rest(seconds: number | null, bytes: number, total: number | null, all: number): number | null {
  if (seconds === null || total === null || total <= bytes) return null;
  return (seconds * Math.max(total - bytes, all - bytes)) / (total - bytes);
}

async function itemsOf(
  address: ModelAddress,
  deps: FetchDeps,
  cancelled: AbortSignal,
  notes: string[],
): Promise<Item[]> {
  if (address.kind === 'bundle') return ofBundle(address.url, deps);
  if (address.kind === 'repository') {
    const listed = await listRepository(address.repository, deps, cancelled, deps.hub);
    const [choice, ...others] = choicesOf(listed, address.repository.id, address.folder);
    if (others.length > 0) notes.push(alsoThere(address.repository.id, choice!, others));
    return ofChoice(choice!, address.repository, deps.hub);
  }
  const { repository } = address;
  if (repository === null) return [{ url: address.url, name: diskName(address.url), path: address.name }];
  const listed = await listRepository(repository, deps, cancelled, deps.hub);
  // A shard brings the others with it, weights their config.
  const choice = choicesOf(listed, repository.id).find(({ weights }) =>
    weights.some(({ path }) => path === repository.path),
  );
  if (choice) return ofChoice(choice, repository, deps.hub);
  const file = listed.find(({ path }) => path === repository.path);
  const expected = file && { expected: expectedOf(file) };
  return [{ url: address.url, name: diskName(address.url), path: address.name, ...expected }];
}

function ofChoice(choice: Choice, repository: Repository, hub = HUB): Item[] {
  const all = [...choice.weights, choice.index, choice.config].filter((file) => file !== null);
  return all.map((file) => {
    const url = fileUrl(repository, file.path, hub);
    return { url, name: diskName(url), path: `${repository.id}/${file.path}`, expected: expectedOf(file) };
  });
}

async function ofBundle(url: string, { fetch }: FetchDeps): Promise<Item[]> {
  const address = new URL('manifest.json', url).href;
  // A host that forbids it looks as one that cannot be reached.
  const reach: typeof fetch = async (to, init) => {
    try {
      return await fetch(to, init);
    } catch {
      throw unreachable(to);
    }
  };
  const manifest = parseManifest(await downloadJson(reach, address));
  const item = (name: string, expected?: Wanted['expected']): Item => {
    const place = new URL(name, url).href;
    return {
      url: place,
      name: diskName(place),
      path: `${manifest.id}/${name}`,
      ...(expected && { expected }),
    };
  };
  return [
    item('manifest.json'),
    ...Object.entries(manifest.files).map(([name, { bytes, sha256 }]) => item(name, { bytes, sha256 })),
  ];
}

function expectedOf({ bytes, sha256 }: RepositoryFile): NonNullable<Wanted['expected']> {
  return { bytes, ...(sha256 !== null && { sha256 }) };
}

/** The same for the same address, in one folder with all others. */
function diskName(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/[^\w.-]+/g, '--');
}

function nameOf(path: string): string {
  return path.split('/').at(-1)!;
}

function alsoThere(id: string, taken: Choice, others: readonly Choice[]): string {
  const names = others.slice(0, 4).map(({ title }) => title);
  const more = others.length > 4 ? `, ${String(others.length - 4)} more` : '';
  return `Of ${id} ${taken.title} was taken; it also holds ${names.join(', ')}${more}: give the address of the file to take another.`;
}
