/** The list of a repository's files, by the hub's public JSON interface. */
import * as v from 'valibot';
import { aborted, invalid } from '../../../models/errors.ts';
import type { Fetch } from '../../inference/download.ts';
import { HUB, repositoryPage } from './address.ts';
import type { Repository } from './address.ts';
import type { RepositoryFile } from './choices.ts';
import { Interrupted } from './interrupted.ts';
import { createPatience } from './patience.ts';
import { gaveUp, refusal, unreachable } from './refusals.ts';

export interface HubDeps {
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  sleep(milliseconds: number): Promise<void>;
}

/** Pages of a thousand files. */
const PAGES = 20;

/** One entry; the hub sends more fields than these. `lfs.oid` is the SHA-256 of the file itself. */
const entries = v.array(
  v.object({
    type: v.string(),
    path: v.string(),
    size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
    lfs: v.nullish(
      v.object({
        oid: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i)),
        size: v.pipe(v.number(), v.integer(), v.minValue(0)),
      }),
    ),
  }),
);

/**
 * All files of the repository, folders left out.
 * @throws one sentence: no such repository, a gated one, a host that cannot be reached or is too busy
 */
export async function listRepository(
  { id, revision }: Repository,
  deps: HubDeps,
  cancelled: AbortSignal,
  hub = HUB,
): Promise<RepositoryFile[]> {
  const list = `${hub}/api/models/${id}/tree/${encodeURIComponent(revision)}`;
  const files: RepositoryFile[] = [];
  let query = 'recursive=true';
  for (let page = 0; page < PAGES; page++) {
    const response = await get(`${list}?${query}`, repositoryPage(id, hub), deps, cancelled);
    files.push(...filesOf(await body(response, cancelled, id), id));
    const next = nextQuery(response.headers.get('link'));
    if (next === null) break;
    query = next;
  }
  return files;
}

async function get(url: string, page: string, deps: HubDeps, cancelled: AbortSignal): Promise<Response> {
  const { fetch, now, sleep } = deps;
  const patience = createPatience({
    sleep: (milliseconds) => sleep(milliseconds),
    stop: cancelled,
    waiting: () => undefined,
    giveUp: (error) => gaveUp(error, page, ''),
  });
  for (;;) {
    let response: Response;
    try {
      response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer', signal: cancelled });
    } catch {
      throw cancelled.aborted ? cancel(url) : unreachable(page);
    }
    if (response.ok) return response;
    // What a person can open is the repository's page, not the list behind it.
    const refused = refusal(response, page, now());
    if (!(refused instanceof Interrupted)) throw refused;
    await patience.again(refused).catch((error: unknown) => {
      throw cancelled.aborted ? cancel(url) : error;
    });
  }
}

async function body(response: Response, cancelled: AbortSignal, id: string): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    if (cancelled.aborted) throw cancel(id);
    throw unreadable(id);
  }
}

function filesOf(json: unknown, id: string): RepositoryFile[] {
  const read = v.safeParse(entries, json);
  if (!read.success) throw unreadable(id);
  return read.output
    .filter(({ type }) => type === 'file')
    .map(({ path, size, lfs }) => ({
      path,
      bytes: lfs?.size ?? size,
      sha256: lfs?.oid.toLowerCase() ?? null,
    }));
}

/** The query of the next page: `Link: <https://...?cursor=...>; rel="next"`. Its host may not be the mirror's. */
function nextQuery(link: string | null): string | null {
  const url = /<([^>]+)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1];
  return url === undefined || !url.includes('?') ? null : url.slice(url.indexOf('?') + 1);
}

function unreadable(id: string): Error {
  return invalid(
    'list of files',
    id,
    'the host sent something else: check its address, or give the address of the file',
  );
}

function cancel(what: string): Error {
  return aborted(`the list of ${what}`);
}
