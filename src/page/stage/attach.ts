/** What every painter needs: to paint again, once a screen refresh, when a store or its own size changes. */
import type { StoreApi } from 'zustand/vanilla';
import { coalesce } from './coalesce.ts';

type Watched = Pick<StoreApi<unknown>, 'subscribe'>;

/**
 * Calls `paint` now, after each change of `stores`, and when `box` changes size.
 * @returns what stops it.
 */
export function attach(paint: () => void, stores: readonly Watched[], box?: Element): () => void {
  const painting = coalesce(paint);
  const stops = stores.map((store) => store.subscribe(painting.request));
  const observer = box ? new ResizeObserver(painting.request) : null;
  if (box) observer?.observe(box);
  window.addEventListener('resize', painting.request);
  paint();
  return () => {
    painting.cancel();
    observer?.disconnect();
    window.removeEventListener('resize', painting.request);
    for (const stop of stops) stop();
  };
}
