/** Whether the numbers of the open model can be trusted on this device: tested by itself when the page is idle. */
import { proxy } from 'comlink';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import { fingerprintOf } from '../../../models/fingerprint.ts';
import type { Opened, SelfTestProgress } from '../../../workers/protocol.ts';
import type { Engine } from '../engine/workers.ts';
import { TRUST_WORDS } from '../words/trust.ts';
import { isBusy } from './live.ts';
import type { LiveStore } from './live.ts';
import type { ModelStore } from './model.ts';
import type { NoticesStore } from './notices.ts';
import type { Opening } from './opening.ts';
import { failureOf, isAbort } from './sentence.ts';
import type { Settings } from './settings.ts';
import type { Report, TrustKept } from './trust-kept.ts';

export type Trust =
  /** No model is open, or it is not tested yet. */
  | { readonly status: 'unknown' }
  | { readonly status: 'testing'; readonly progress: SelfTestProgress | null }
  | { readonly status: 'done'; readonly report: Report }
  /** The model did not open, because its numbers are wrong already on the first input. */
  | { readonly status: 'refused'; readonly sentence: string }
  /** The self-test itself did not work. */
  | { readonly status: 'failed'; readonly sentence: string };

export interface Trusting {
  readonly store: StoreApi<Trust>;
  /** Sets it going: from now on each model that opens is looked up, or tested. */
  follow(): void;
  /** Tests now, whatever is known; opens the model when there is none, on the device that was wanted first. */
  again(): Promise<void>;
}

interface Needs {
  readonly engine: Pick<Engine, 'inference'>;
  readonly model: ModelStore;
  readonly live: LiveStore;
  readonly notices: NoticesStore;
  readonly opening: Opening;
  readonly settings: { get(): Settings };
  readonly kept: TrustKept;
  /** Does `work` when the page has been idle for a while. @returns what calls it off. */
  readonly whenIdle: (work: () => void) => () => void;
  readonly now: () => Date;
}

/** How the worker begins the sentence about a device whose numbers are wrong on warm-up's input. */
const WRONG_NUMBERS = /^unsupported device: /i;

export function createTrust(needs: Needs): Trusting {
  const { engine, model, live, notices, opening, settings, kept } = needs;
  const store = createStore<Trust>(() => ({ status: 'unknown' }));
  const say = (trust: Trust): void => store.setState(trust, true);
  let callOff = (): void => undefined;

  const opened = (): Opened | null => {
    const state = model.getState();
    return state.status === 'ready' ? state.opened : null;
  };

  /** A test that comes by itself waits until nobody wants anything else. */
  const later = (): void => {
    callOff();
    if (opened() === null || store.getState().status !== 'unknown' || isBusy(live.getState())) return;
    callOff = needs.whenIdle(() => void test());
  };

  const test = async (): Promise<void> => {
    callOff();
    const tested = opened();
    if (tested === null || store.getState().status === 'testing' || isBusy(live.getState())) return;
    say({ status: 'testing', progress: null });
    const current = () => opened() === tested;
    const onProgress = proxy((progress: SelfTestProgress) => {
      if (current() && store.getState().status === 'testing') say({ status: 'testing', progress });
    });
    try {
      const found = await engine.inference.call((worker) => worker.selfTest(onProgress));
      if (!current()) return;
      const { device, graphs, verdict, reopened } = found;
      const report = { device, graphs, verdict, date: needs.now().toISOString() };
      // A device that was lost has not been tested.
      if (graphs.length > 0) kept.keep(fingerprintOf(tested.manifest), report, reopened?.sentence ?? null);
      if (reopened) {
        notices.say('warn', reopened.sentence);
        const { backend } = settings.get();
        // Told as a model of its own: it is tested in its turn.
        model.setState({ status: 'ready', backend, opened: reopened.opened }, true);
        return;
      }
      if (verdict === 'off') notices.say('warn', TRUST_WORDS.noticeOff(graphs));
      say({ status: 'done', report });
    } catch (error) {
      if (!current()) return;
      if (isAbort(error)) {
        say({ status: 'unknown' });
        later();
        return;
      }
      // What a graph throws is part of the report: this means that the worker holds no model any more.
      const failure = failureOf(error);
      model.setState({ status: 'failed', ...failure }, true);
      if (store.getState().status !== 'refused') say({ status: 'failed', sentence: failure.sentence });
    }
  };

  const look = (): void => {
    callOff();
    const state = model.getState();
    if (state.status === 'failed' && WRONG_NUMBERS.test(state.sentence)) {
      say({ status: 'refused', sentence: state.sentence });
      return;
    }
    const known =
      state.status === 'ready' ? kept.find(fingerprintOf(state.opened.manifest), state.opened.device) : null;
    say(known ? { status: 'done', report: known } : { status: 'unknown' });
    later();
  };

  return {
    store,
    follow: () => {
      look();
      model.subscribe((now, before) => {
        if (now.status === 'loading' && before.status === 'loading') return;
        if (now !== before) look();
      });
      live.subscribe((now, before) => {
        if (isBusy(now) !== isBusy(before)) later();
      });
    },
    again: async () => {
      if (store.getState().status === 'testing' || isBusy(live.getState())) return;
      const before = opened();
      if (before) {
        const bundle = fingerprintOf(before.manifest);
        const left = kept.distrusted().some((one) => one.bundle === bundle);
        kept.drop(bundle);
        // The device that was left is tried again: only a worker that starts anew opens the model on it.
        if (left) {
          model.setState({ status: 'empty' }, true);
          engine.inference.end();
        }
      }
      if (opened() === null) {
        // What fails is shown by the model's own panel.
        await opening.open(settings.get()).catch(() => undefined);
      }
      await test();
    },
  };
}
