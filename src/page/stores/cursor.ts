/** The one frame cursor of all pictures, and its playing. Changes many times a second: painters subscribe, React does not. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

export interface Cursor {
  readonly frame: number;
  readonly playing: boolean;
  /** Number of frames there are; 0 before a clip is there. */
  readonly count: number;
}

export interface CursorStore {
  readonly store: StoreApi<Cursor>;
  /** Goes to a frame (clamped) and stops playing. */
  go(frame: number): void;
  /** Goes by some frames and stops playing. */
  step(by: number): void;
  toggle(): void;
  /** A clip of another length: the cursor stays where it can. */
  setCount(count: number): void;
  /** One frame further while playing; at the end it starts over, or stops without `loop`. */
  advance(loop: boolean): void;
}

export function createCursor(frame = 0): CursorStore {
  const store = createStore<Cursor>(() => ({ frame, playing: false, count: 0 }));
  const clamp = (value: number) => {
    const { count } = store.getState();
    // Before the clip is there, the frame that the address asked for is kept as it is.
    return count === 0 ? Math.max(0, value) : Math.min(count - 1, Math.max(0, value));
  };
  const go = (value: number) => store.setState({ frame: clamp(value), playing: false });

  return {
    store,
    go,
    step: (by) => go(store.getState().frame + by),
    toggle: () => {
      const { playing, frame: at, count } = store.getState();
      // Playing from the last frame means from the start.
      store.setState({ playing: !playing && count > 1, frame: !playing && at >= count - 1 ? 0 : at });
    },
    setCount: (count) => {
      // Told again and again while a run goes; nothing follows from the same number.
      if (count === store.getState().count) return;
      store.setState({ count });
      store.setState({ frame: clamp(store.getState().frame) });
    },
    advance: (loop) => {
      const { frame: at, count, playing } = store.getState();
      if (!playing) return;
      if (at < count - 1) store.setState({ frame: at + 1 });
      else if (loop) store.setState({ frame: 0 });
      else store.setState({ playing: false });
    },
  };
}
