/** One request for a file or a part of it, and the bytes of its answer. */
import { unsupported } from '../../../models/errors.ts';
import type { Fetch } from '../../inference/download.ts';
import { Interrupted } from './interrupted.ts';
import type { FileVersion } from './note.ts';
import { readContentRange } from './ranges.ts';
import type { Range } from './ranges.ts';
import { refusal } from './refusals.ts';
import { pageByType } from './sniff.ts';

export interface Network {
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  sleep(milliseconds: number): Promise<void>;
  /** Milliseconds without a byte after which a connection counts as dead. */
  readonly silence: number;
}

interface Body {
  readonly served: FileVersion;
  /** Bytes as they come, until `stop`. @throws Interrupted when they end before the server meant to. */
  chunks(stop: AbortSignal): AsyncGenerator<Uint8Array, void>;
}

export type Answer =
  /** [start, end) of a file of `total` bytes, within what was asked for. */
  | ({ readonly kind: 'part'; readonly part: Range; readonly total: number } & Body)
  /** The file from its first byte; `total` is null when the server does not know or packs it. */
  | ({ readonly kind: 'whole'; readonly total: number | null } & Body)
  /** There are no bytes at that place (416); `total` when it says how many there are. */
  | { readonly kind: 'beyond'; readonly total: number | null }
  /** A part, but not what was asked for, or the browser hides from us which one it is. */
  | { readonly kind: 'unclear' };

export interface Question {
  readonly url: string;
  readonly name: string;
  /** Null: the whole file, without a word about ranges. */
  readonly range: Range | null;
  /** Bytes of the file where they are known already. */
  readonly total: number | null;
}

/**
 * `If-Range` is not sent: a browser would ask the host for permission first (`Range` alone needs none), and hosts
 * that redirect to a network of caches do not give it. The answer's own ETag and date say as much.
 *
 * @throws Interrupted, or one sentence for a refusal and for a web page
 */
export async function ask(network: Network, question: Question, stop: AbortSignal): Promise<Answer> {
  const { url, name, range } = question;
  const own = new AbortController();
  const signal = AbortSignal.any([stop, own.signal]);
  const watch = watchSilence(network, own);
  let response: Response;
  try {
    response = await network.fetch(url, {
      headers: range ? { Range: `bytes=${String(range[0])}-${String(range[1] - 1)}` } : {},
      // The file is kept on our own disk; a second copy in the HTTP cache would only take its room.
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
  } catch {
    stop.throwIfAborted();
    throw new Interrupted(own.signal.aborted ? 'silent' : 'unreachable');
  } finally {
    watch.end();
  }
  const answer = judge(response, question, network, own);
  if (answer instanceof Error || !('chunks' in answer)) own.abort();
  if (answer instanceof Error) throw answer;
  const page = pageByType(name, response.headers.get('content-type'));
  if (!page) return answer;
  own.abort();
  throw page;
}

function judge(
  response: Response,
  { url, range, total }: Question,
  network: Network,
  own: AbortController,
): Answer | Error {
  const { status, headers } = response;
  const served = { etag: headers.get('etag'), modified: headers.get('last-modified') };
  const chunks = (stop: AbortSignal) => read(response, network, own, stop);
  const length = lengthOf(headers);
  if (status === 200) return { kind: 'whole', total: length, served, chunks };
  if (status === 416 && range) {
    return { kind: 'beyond', total: readContentRange(headers.get('content-range'))?.total ?? null };
  }
  if (status !== 206) return response.ok ? strange(url, status) : refusal(response, url, network.now());
  if (!range) return strange(url, status);
  const said = readContentRange(headers.get('content-range'));
  if (said?.part && said.total !== null) {
    const asked = said.part[0] === range[0] && said.part[1] <= range[1];
    return asked ? { kind: 'part', part: said.part, total: said.total, served, chunks } : { kind: 'unclear' };
  }
  // Hosts that do not expose Content-Range: the length tells as much once the total is known.
  const hidden = !headers.has('content-range') && total !== null && length === range[1] - range[0];
  return hidden ? { kind: 'part', part: range, total, served, chunks } : { kind: 'unclear' };
}

function strange(url: string, status: number): Error {
  return unsupported(
    'answer',
    `${url} (HTTP ${String(status)})`,
    'no whole file comes with it: check the address',
  );
}

/** Bytes that will come, where the header says it: of a packed answer it counts other bytes. */
function lengthOf(headers: Headers): number | null {
  const packed = headers.get('content-encoding');
  if (packed !== null && packed !== 'identity') return null;
  const text = headers.get('content-length');
  return text !== null && /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

async function* read(
  response: Response,
  network: Network,
  own: AbortController,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const watch = watchSilence(network, own);
  const end = () => own.abort();
  stop.addEventListener('abort', end);
  // A read that waits is over at once, whatever the runtime makes of an abort between two chunks.
  own.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
  try {
    for (;;) {
      stop.throwIfAborted();
      const { done, value } = await reader.read().catch(() => BROKEN);
      stop.throwIfAborted();
      if (own.signal.aborted) throw new Interrupted('silent');
      if (done === null) throw new Interrupted('broken');
      if (done) return;
      watch.beat();
      yield value;
    }
  } finally {
    watch.end();
    stop.removeEventListener('abort', end);
    // Also where the reader of these bytes has had enough: the connection must not go on.
    own.abort();
  }
}

const BROKEN = { done: null, value: undefined } as const;

/** Aborts `own` when nobody says `beat` for too long. */
function watchSilence({ now, sleep, silence }: Network, own: AbortController) {
  let last = now();
  let ended = false;
  void (async () => {
    while (!ended) {
      await sleep(silence / 4);
      if (!ended && now() - last > silence) own.abort();
    }
  })();
  return { beat: () => void (last = now()), end: () => void (ended = true) };
}
