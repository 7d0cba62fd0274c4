/** Files of this site, with a sentence when they do not come. */
import { localAddress, localId } from '../../../models/bundle/local.ts';
import { missing } from '../../../models/errors.ts';

/** The address of a file beside the page, wherever the page is served. */
export function beside(path: string): string {
  return new URL(path, document.baseURI).href;
}

/** The address of a bundle's folder, served or local, as workers open it. */
export function addressOf(bundle: string): string {
  const id = localId(bundle);
  return id === null ? beside(`bundles/${bundle}/`) : localAddress(id);
}

export async function fetchJson(path: string): Promise<unknown> {
  const response = await get(path);
  try {
    return await response.json();
  } catch {
    // A host that answers every address with its front page gives HTML here.
    throw missing(
      'file',
      path,
      'the host sent something that is not JSON; check that the folder is complete',
    );
  }
}

export async function fetchBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await get(path);
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    throw missing('file', path, 'the host sent a page in its place; check that the folder is complete');
  }
  return new Uint8Array(await response.arrayBuffer());
}

async function get(path: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(beside(path));
  } catch {
    throw missing('file', path, 'the network did not answer; try again');
  }
  if (!response.ok) throw missing('file', path, `the host answered ${response.status}; try again`);
  return response;
}
