/** Sentences that belong to no panel: a link that did not parse, a worker that started again. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

export interface Notice {
  readonly id: number;
  readonly tone: 'plain' | 'warn' | 'bad';
  readonly sentence: string;
}

export interface NoticesStore {
  readonly store: StoreApi<readonly Notice[]>;
  /** The same sentence twice is shown once. */
  say(tone: Notice['tone'], sentence: string): void;
  dismiss(id: number): void;
  /** Takes away what is true no more. */
  unsay(sentence: string): void;
}

/** More than this many at once are noise: the oldest goes. */
const MOST = 3;

export function createNotices(): NoticesStore {
  const store = createStore<readonly Notice[]>(() => []);
  let next = 1;
  return {
    store,
    say: (tone, sentence) => {
      const others = store.getState().filter((notice) => notice.sentence !== sentence);
      store.setState([...others, { id: next++, tone, sentence }].slice(-MOST), true);
    },
    dismiss: (id) =>
      store.setState(
        store.getState().filter((notice) => notice.id !== id),
        true,
      ),
    unsay: (sentence) =>
      store.setState(
        store.getState().filter((notice) => notice.sentence !== sentence),
        true,
      ),
  };
}
