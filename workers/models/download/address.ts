/** What a visitor types to name a model elsewhere: a repository of Hugging Face, or the address of a file or bundle. */
import { invalid, unsupported } from '../../../models/errors.ts';

/** The host of repositories; a mirror of it may stand in its place wherever a `hub` is asked for. */
export const HUB = 'https://huggingface.co';

/** Hosts whose addresses mean the hub's repositories, whichever mirror is used. */
const HUB_NAMES = ['huggingface.co', 'www.huggingface.co', 'hf.co'];

export interface Repository {
  /** `owner/name`. */
  readonly id: string;
  /** A branch, tag or commit. */
  readonly revision: string;
}

export type ModelAddress =
  /** A list of files has to be asked for. @param folder '' or a path without slashes around it */
  | { readonly kind: 'repository'; readonly repository: Repository; readonly folder: string }
  /** One file; with its repository where it is of one, in which its config may lie. */
  | {
      readonly kind: 'file';
      readonly url: string;
      readonly name: string;
      readonly repository: (Repository & { readonly path: string }) | null;
    }
  /** A folder with manifest.json. @param url with a slash at its end */
  | { readonly kind: 'bundle'; readonly url: string };

/** Endings of files that we can do something with. */
const ENDINGS = ['safetensors', 'pt', 'pth', 'ckpt', 'bin', 'zip', 'onnx', 'yaml', 'yml', 'json'];

const EXAMPLES = 'give owner/name of a Hugging Face repository, or the https address of a file or a bundle';

/**
 * @param hub where repositories are asked for, without a slash at its end
 * @throws one sentence that says what would be understood
 */
export function readAddress(typed: string, hub = HUB): ModelAddress {
  // What copying leaves around an address.
  const text = typed.trim().replace(/^[<"'`]+|[>"'`]+$/g, '');
  if (text === '') throw invalid('address', typed, EXAMPLES);
  const id = repositoryId(text);
  if (id !== null) return { kind: 'repository', repository: { id, revision: 'main' }, folder: '' };
  const url = parse(text);
  checkScheme(url, typed);
  const isHub = HUB_NAMES.includes(url.hostname) || url.origin === new URL(hub).origin;
  return (isHub ? ofHub(url, typed, hub) : null) ?? elsewhere(url, typed);
}

/** Where a file of a repository lies: git-lfs' pointers resolved, unlike under `raw`. */
export function fileUrl({ id, revision }: Repository, path: string, hub = HUB): string {
  return `${hub}/${id}/resolve/${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The page on which a person finds the repository, its licence and the button to download by hand. */
export function repositoryPage(id: string, hub = HUB): string {
  return `${hub}/${id}`;
}

const NAME = /^[A-Za-z0-9][\w.-]*$/;

/** `owner/name`, unless it looks like a host and a file on it. */
function repositoryId(text: string): string | null {
  const parts = text.replace(/\/$/, '').split('/');
  if (parts.length !== 2 || !parts.every((part) => NAME.test(part))) return null;
  const [owner, name] = parts as [string, string];
  const host =
    HUB_NAMES.includes(owner) || owner === 'localhost' || (owner.includes('.') && endingOf(name) !== null);
  return host ? null : `${owner}/${name}`;
}

function parse(text: string): URL {
  const local = /^(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/])/i.test(text);
  const bare = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?\//i.test(text);
  try {
    return new URL(local ? `http://${text}` : bare ? `https://${text}` : text);
  } catch {
    throw invalid('address', text, EXAMPLES);
  }
}

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

function checkScheme(url: URL, typed: string): void {
  if (url.username !== '' || url.password !== '') {
    throw unsupported(
      'address',
      url.host,
      'a page cannot send a name and password in it: download the file by hand',
    );
  }
  if (url.protocol === 'https:') return;
  if (url.protocol === 'http:') {
    if (LOCAL.includes(url.hostname)) return;
    throw unsupported('address', typed, 'over http anybody on the way could change the weights: use https');
  }
  // Also `C:\models`, whose drive reads as a scheme.
  if (url.protocol === 'file:' || /^[a-z]:$/.test(url.protocol)) {
    throw unsupported(
      'address',
      typed,
      'it lies on this machine: drop the file or the folder onto this page',
    );
  }
  throw unsupported('address', typed, EXAMPLES);
}

/** Null for an address on the hub's host that is none of its repositories. */
function ofHub(url: URL, typed: string, hub: string): ModelAddress | null {
  let parts: string[];
  try {
    parts = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    throw invalid('address', typed, EXAMPLES);
  }
  if (parts[0] === 'api' && parts[1] === 'models') parts = parts.slice(2);
  if (parts[0] === 'datasets' || parts[0] === 'spaces') {
    throw unsupported('repository', typed, `${parts[0]} hold no model: give the repository of the model`);
  }
  const [owner, name, verb, revision = 'main', ...rest] = parts;
  if (owner === undefined || name === undefined) {
    // A mirror or a test may have other files at its root.
    if (owner !== undefined && endingOf(owner) !== null) return null;
    throw invalid('repository', typed, 'give owner/name, as its page shows it');
  }
  if (!NAME.test(owner) || !NAME.test(name))
    throw invalid('repository', typed, 'give owner/name, as its page shows it');
  const repository = { id: `${owner}/${name}`, revision };
  switch (verb) {
    case undefined:
      return { kind: 'repository', repository, folder: '' };
    case 'tree':
      return { kind: 'repository', repository, folder: rest.join('/') };
    case 'blob':
    case 'raw':
    case 'resolve': {
      const path = rest.join('/');
      if (path === '') return { kind: 'repository', repository, folder: '' };
      if (rest.at(-1) === 'manifest.json') {
        const folder = fileUrl(repository, path, hub).replace(/manifest\.json$/, '');
        return { kind: 'bundle', url: folder };
      }
      checkEnding(rest.at(-1)!, typed);
      return {
        kind: 'file',
        url: fileUrl(repository, path, hub),
        name: rest.at(-1)!,
        repository: { ...repository, path },
      };
    }
    default:
      // Its other pages (discussions, commits) still name the repository.
      return HUB_NAMES.includes(url.hostname)
        ? { kind: 'repository', repository: { ...repository, revision: 'main' }, folder: '' }
        : null;
  }
}

function elsewhere(url: URL, typed: string): ModelAddress {
  url.hash = '';
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  if (last === 'manifest.json') return { kind: 'bundle', url: new URL('.', url).href };
  if (last === '' || !last.includes('.')) {
    const folder = new URL(url);
    folder.search = '';
    if (last !== '') folder.pathname += '/';
    return { kind: 'bundle', url: folder.href };
  }
  checkEnding(last, typed);
  return { kind: 'file', url: url.href, name: decoded(last), repository: null };
}

function checkEnding(name: string, typed: string): void {
  if (endingOf(name) !== null) return;
  throw unsupported(
    'file',
    typed,
    `files of models end in ${ENDINGS.map((ending) => `.${ending}`).join(', ')}`,
  );
}

function endingOf(name: string): string | null {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  return ENDINGS.find((known) => known === ending) ?? null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
