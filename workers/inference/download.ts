/** Fetches the files of a bundle, byte by byte, and says in one sentence what was wrong with one. */
import { invalid, missing, unsupported } from '../../models/errors.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const REMEDY_ADDRESS = "check the bundle's address";
const REMEDY_AGAIN = 'check the connection and open the model again';

/**
 * One file of a known size.
 *
 * @param bytes the size that the manifest states; anything else is an error
 * @param onBytes told the number of bytes so far, as they come
 * @throws one sentence: larger than memory, not there, no connection, a web page in its place, longer or
 *   shorter than stated
 */
export async function download(
  fetch: Fetch,
  url: string,
  bytes: number,
  onBytes: (loaded: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = room(url, bytes);
  const body = (await answer(fetch, url)).body;
  let loaded = 0;
  if (body) {
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await chunk(reader, url, loaded, bytes);
      if (done) break;
      if (loaded + value.length > bytes) {
        void reader.cancel();
        throw invalid(
          'weights',
          nameOf(url),
          `more than the ${String(bytes)} bytes of its manifest; publish both together`,
        );
      }
      whole.set(value, loaded);
      loaded += value.length;
      onBytes(loaded);
    }
  }
  if (loaded < bytes) {
    throw invalid(
      'weights',
      nameOf(url),
      `cut short at ${String(loaded)} of ${String(bytes)} bytes; open the model again, or publish the file again`,
    );
  }
  return whole;
}

/**
 * A small JSON file, asked for anew each time: it says which weights are right.
 *
 * @throws one sentence: not there, no connection, a web page in its place, not JSON
 */
export async function downloadJson(fetch: Fetch, url: string): Promise<unknown> {
  const response = await answer(fetch, url);
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('manifest', url, 'it is not JSON; build the bundle again');
  }
}

/** The response, once it is known to be a file. */
async function answer(fetch: Fetch, url: string): Promise<Response> {
  let response: Response;
  try {
    // Weights are kept in our own store, checked; the browser's HTTP cache would be a second, unchecked copy.
    response = await fetch(url, { cache: 'no-store' });
  } catch {
    throw missing('file', url, REMEDY_AGAIN);
  }
  if (response.status === 404) throw missing('file', url, REMEDY_ADDRESS);
  if (!response.ok) throw missing('file', `${url} (HTTP ${String(response.status)})`, REMEDY_AGAIN);
  // A static host that answers every unknown address with its start page.
  if (/^\s*text\/html/i.test(response.headers.get('content-type') ?? '')) {
    void response.body?.cancel();
    throw invalid('model file', url, `the server sent a web page in its place; ${REMEDY_ADDRESS}`);
  }
  return response;
}

async function chunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  url: string,
  loaded: number,
  bytes: number,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await reader.read();
  } catch {
    throw missing('file', `${nameOf(url)} from byte ${String(loaded)} of ${String(bytes)} on`, REMEDY_AGAIN);
  }
}

/** A manifest can state any size; what this browser cannot hold is told before anything is fetched. */
function room(url: string, bytes: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes);
  } catch {
    const remedy = 'there is not enough memory for it: choose a smaller model, or correct manifest.json';
    throw unsupported('size', `${String(bytes)} bytes of ${nameOf(url)}`, remedy);
  }
}

/** Last part of an address, for sentences. */
export function nameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
