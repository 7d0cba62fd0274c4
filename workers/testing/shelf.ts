import type { Shelf } from '../inference/store.ts';

/** Cache Storage as far as the store uses it, over real Responses. */
export function memoryShelf(): Shelf & { readonly entries: Map<string, Response> } {
  const entries = new Map<string, Response>();
  const urlOf = (key: RequestInfo | URL): string => (key instanceof Request ? key.url : String(key));
  return {
    entries,
    match: (key) => Promise.resolve(entries.get(urlOf(key))?.clone()),
    put: (key, response) => Promise.resolve(void entries.set(urlOf(key), response)),
    delete: (key) => Promise.resolve(entries.delete(urlOf(key))),
    keys: () => Promise.resolve([...entries.keys()].map((url) => new Request(url))),
  };
}
