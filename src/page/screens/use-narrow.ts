import { useSyncExternalStore } from 'react';

/** Below this width (styles/layout.css has the same) the page is one column with sheets. */
const query = window.matchMedia('(max-width: 1023px)');

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
