/**
 * Bundles that a visitor keeps in this browser. A run names one `local:ID`, beside the served ones, which have
 * plain names; its files have addresses `local://bundles/ID/FILE`, which only our own workers can open.
 */

const NAME = /^local:([a-z0-9][a-z0-9._-]*)$/;
const FOLDER = 'local://bundles/';

/** The id in a bundle's name; null when it is a served bundle's. */
export function localId(bundle: string): string | null {
  return NAME.exec(bundle)?.[1] ?? null;
}

export function localName(id: string): string {
  return `local:${id}`;
}

/** Address of the folder of bundle `id`, with a slash at its end. */
export function localAddress(id: string): string {
  return `${FOLDER}${id}/`;
}

/** What an address of a local file names; null for addresses of the network. */
export function localFile(address: string): { readonly id: string; readonly file: string } | null {
  if (!address.startsWith(FOLDER)) return null;
  const [id = '', file = '', ...more] = address.slice(FOLDER.length).split('/');
  return id === '' || file === '' || more.length > 0 ? null : { id, file };
}

/** `wanted`, or the first of `wanted-2`, `wanted-3`, ... that is not taken. */
export function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}-${String(number)}`)) number++;
  return `${wanted}-${String(number)}`;
}
