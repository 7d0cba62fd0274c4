/** The address of what is on the page now; the bar of the browser says it a moment later. */
import { formatAddress } from '../address.ts';
import { FIRST_DEFAULTS } from './bundle.ts';
import type { Core } from './core.ts';

export function linkOf({
  settings,
  view,
  cursor,
  bundle,
}: Pick<Core, 'settings' | 'view' | 'cursor' | 'bundle'>): string {
  const state = { settings: settings.get(), view: view.getState(), frame: cursor.store.getState().frame };
  // The bundle is named wherever it is not the one that a bare address opens.
  const usual = { ...bundle.getState().defaults, bundle: FIRST_DEFAULTS.bundle };
  const text = formatAddress(state, usual);
  const testing = new URLSearchParams(location.hash.slice(1)).has('testing') ? 'testing' : '';
  const hash = [testing, text].filter(Boolean).join('&');
  return `${location.origin}${location.pathname}${location.search}${hash === '' ? '' : `#${hash}`}`;
}
