/** What several stores say together, in words or as a number; read by texts that change too often for React. */
import { words } from '../words.ts';
import { progressWords } from '../words/schedule.ts';
import type { Core } from './core.ts';
import { isBusy } from './live.ts';
import { isStale, nextOrder, shownRun } from './runs.ts';

export interface Readings {
  /** Frames at the start that are given. */
  contextFrames(): number;
  /** Place of the next run in this visit. */
  nextOrder(): number;
  /** Rows of the matrix on show that the shown result has computed: all, or null when it is another schedule. */
  reachedRows(): number | null;
  /** How far the run is, or what it waits for. */
  progressWords(): string;
  /** The same as a number, 0 to 1. */
  progressShare(): number;
  loadWords(): string;
  loadShare(): number;
  /** The cost of the wanted run in a few words, or the progress of the one under way. */
  costLine(): string;
}

export function createReadings({
  settings,
  bundle,
  plan,
  estimate,
  live,
  model,
  runs,
  clips,
}: Core): Readings {
  const loadWords = () => {
    const state = model.getState();
    if (state.status !== 'loading') return '';
    const { progress } = state;
    if (!progress) return words.loadStages.download;
    const { stage, stored, loadedBytes, totalBytes, secondsLeft } = progress;
    const what = words.loadStages[stage];
    if (stage !== 'download') return what;
    const left = secondsLeft === null ? '' : `, ${words.left(secondsLeft)}`;
    return `${what}${stored ? ` ${words.stored}` : ''}, ${words.loadBytes(loadedBytes, totalBytes)}${left}`;
  };
  const loadShare = () => {
    const state = model.getState();
    const progress = state.status === 'loading' ? state.progress : null;
    return progress && progress.totalBytes > 0 ? progress.loadedBytes / progress.totalBytes : 0;
  };
  const sayProgress = () => {
    const state = live.getState();
    const { row, rows, window, windows, levels, secondsLeft, reconstruction } = state;
    if (state.status === 'stopping') return words.stopping;
    if (state.status === 'starting') return loadWords() || words.starting;
    if (levels.length === 0) return reconstruction ? words.starting : words.encoding;
    if (row === rows && window === windows - 1) return words.measuring;
    const now = plan.getState().plan;
    if (!now) return words.starting;
    const { steps, context, keep, horizon } = now;
    const [before, total] = [window * keep, horizon - context];
    return progressWords({ row, rows, levels, steps, context, before, total, secondsLeft });
  };

  return {
    contextFrames: () => plan.getState().plan?.context ?? bundle.getState().window.context,
    nextOrder: () => nextOrder(runs.getState()),
    reachedRows: () => {
      const run = shownRun(runs.getState());
      const now = plan.getState().plan;
      return run && now && !isStale(run, settings.get()) ? now.levels.length - 1 : null;
    },
    progressWords: sayProgress,
    progressShare: () => {
      const { status, row, rows, window, windows } = live.getState();
      if (status === 'starting') return loadShare();
      return rows === 0 ? 0 : (window + row / rows) / windows;
    },
    loadWords,
    loadShare,
    costLine: () => {
      if (isBusy(live.getState())) return sayProgress();
      if (clips.getState().absent === settings.get().clip) return words.clipAbsent;
      const now = plan.getState().plan;
      if (!now) return '';
      const { seconds } = estimate.getState();
      const calls = words.networkCalls(now.networkCalls);
      if (seconds !== null) return `${calls}, ${words.estimate(seconds)}`;
      return model.getState().status === 'loading' ? loadWords() : calls;
    },
  };
}
