/** Moves the frame cursor while it plays, at the speed that the view asks for. */
import type { CursorStore } from '../stores/cursor.ts';
import type { ViewStore } from '../stores/view.ts';

export function startPlayback(cursor: CursorStore, view: ViewStore): () => void {
  let timer = 0;
  const tick = () => {
    timer = 0;
    cursor.advance(view.getState().loop);
    plan();
  };
  const plan = () => {
    const { playing } = cursor.store.getState();
    if (playing && timer === 0) timer = window.setTimeout(tick, 1000 / view.getState().speed);
    if (!playing && timer !== 0) {
      window.clearTimeout(timer);
      timer = 0;
    }
  };
  plan();
  const stop = cursor.store.subscribe(plan);
  return () => {
    stop();
    window.clearTimeout(timer);
  };
}
