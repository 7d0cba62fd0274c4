/** What a visitor can do, by button or by key. */
import { words } from '../words.ts';
import { episodeId, LARGEST_SEED, TRAINED_MAP } from '../../../models/worlds/maze/live.ts';
import type { Core } from './core.ts';
import { createFitting } from './horizon.ts';
import { DICE, STOPS } from './limits.ts';
import { linkOf } from './link.ts';
import { isBusy } from './live.ts';
import type { Run } from './runs.ts';
import { failureOf, isAbort } from './sentence.ts';
import { GAINS } from './view.ts';

export interface Actions {
  run(): Promise<void>;
  cancel(): void;
  openModel(): Promise<void>;
  cancelLoading(): void;
  forget(): Promise<void>;
  chooseClip(id: string): void;
  /** The clip so many places further in the list. */
  moveClip(by: number): void;
  newEpisode(): Promise<void>;
  loadClips(): Promise<void>;
  rollDice(): void;
  /** The next larger (1) or smaller (-1) number of steps of the slider. */
  moveSteps(by: 1 | -1): void;
  showRun(id: string): void;
  useSettingsOf(run: Run): void;
  toggleTruth(): void;
  nextGain(): void;
  share(): void;
  /** @param said what to say when it worked; nothing when null. */
  copy(text: string, said?: string): Promise<void>;
  closeSheet(): void;
}

export function createActions(core: Core): Actions {
  const { settings, view, clips, library, opening, rolling, notices, runs, bundle, scene, live } = core;

  /** A clip may be too short for the frames that are asked for. */
  const fit = createFitting();
  const fitting = (id: string) => {
    const length = clips.getState().entries.find((entry) => entry.id === id)?.clip?.length;
    if (length === undefined) return {};
    return { horizon: fit(settings.get().horizon, Math.max(bundle.getState().window.frames, length)) };
  };
  const chooseClip = (id: string) => {
    settings.change({ clip: id, ...fitting(id) });
    view.setState({ sheet: null });
  };
  const copy = async (text: string, said: string = words.csvCopied) => {
    try {
      await navigator.clipboard.writeText(text);
      notices.say('plain', said);
    } catch {
      notices.say('warn', words.copyFailed);
    }
  };

  return {
    run: rolling.run,
    cancel: rolling.cancel,
    openModel: async () => {
      // What fails is shown by the model's own panel.
      await opening.open(settings.get()).catch(() => undefined);
    },
    cancelLoading: opening.cancel,
    forget: async () => {
      // A run that has been asked for goes first.
      if (opening.removing.getState() || isBusy(live.getState())) return;
      try {
        notices.say('plain', words.forgot(await opening.remove()));
      } catch (error) {
        if (!isAbort(error)) notices.say('bad', failureOf(error).sentence);
      }
    },
    chooseClip,
    moveClip: (by) => {
      const { entries } = clips.getState();
      const at = entries.findIndex(({ id }) => id === settings.get().clip);
      const next = entries[Math.min(entries.length - 1, Math.max(0, at + by))];
      if (next) chooseClip(next.id);
    },
    newEpisode: async () => {
      if (clips.getState().simulating) return;
      const id = episodeId({ map: TRAINED_MAP, seed: random(LARGEST_SEED < DICE ? LARGEST_SEED : DICE) });
      clips.setState({ failure: null });
      try {
        await library.get(id, bundle.getState().manifest?.codec?.imageSize[0] ?? 64);
        chooseClip(id);
      } catch (error) {
        if (!isAbort(error))
          clips.setState({ failure: `${words.episodeFailed} ${failureOf(error).sentence}` });
      }
    },
    loadClips: library.loadIndex,
    rollDice: () => settings.change({ seed: random(DICE) }),
    moveSteps: (by) => {
      const { steps } = settings.get();
      const next =
        by > 0 ? STOPS.steps.find((stop) => stop > steps) : STOPS.steps.findLast((stop) => stop < steps);
      if (next !== undefined) settings.change({ steps: next });
    },
    showRun: (id) => runs.setState({ shown: id }),
    useSettingsOf: (run) => {
      const { backend } = settings.get();
      settings.change({ ...run.settings, backend });
    },
    toggleTruth: () => {
      if (scene.getState().reconstruction === null) return;
      view.setState(({ truth }) => ({ truth: truth === 'pixels' ? 'reconstruction' : 'pixels' }));
    },
    nextGain: () =>
      view.setState(({ gain }) => ({
        gain: GAINS[((GAINS as readonly number[]).indexOf(gain) + 1) % GAINS.length]!,
      })),
    share: () => void copy(linkOf(core), words.linkCopied),
    copy,
    closeSheet: () => view.setState({ sheet: null }),
  };
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}
