/** Decides what the pictures show: the run under way, else the run chosen from the list, always of the clip that is wanted. */
import { entryOf } from './clips.ts';
import type { ClipsStore } from './clips.ts';
import type { CursorStore } from './cursor.ts';
import type { HoverStore } from './hover.ts';
import { isBusy } from './live.ts';
import type { LiveStore } from './live.ts';
import { runsOfClip, shownRun } from './runs.ts';
import type { Run, RunsStore } from './runs.ts';
import type { Prediction, SceneStore } from './scene.ts';
import type { SettingsStore } from './settings.ts';

interface Needs {
  readonly settings: SettingsStore;
  readonly clips: ClipsStore;
  readonly runs: RunsStore;
  readonly live: LiveStore;
  readonly scene: SceneStore;
  readonly cursor: CursorStore;
  readonly hover: HoverStore;
  /** Rows of the matrix on show that the shown run has computed; null when it is another schedule. */
  readonly reachedRows: () => number | null;
}

/** Keeps the scene in step with the stores. @returns what stops it. */
export function keepShowing(needs: Needs): () => void {
  const { settings, clips, runs, live, scene, cursor, hover } = needs;
  let predictions = new WeakMap<Run, Prediction>();
  const predictionOf = (run: Run): Prediction => {
    const there = predictions.get(run);
    if (there) return there;
    const known = new Array<boolean>(run.frames.count).fill(true);
    const fresh = { frames: run.frames, context: run.context, known };
    predictions.set(run, fresh);
    return fresh;
  };

  /** What the run believed after the row that is being read in the matrix, which shows its first window. */
  const peek = (run: Run): Prediction | null => {
    const row = hover.getState().cell?.row ?? 0;
    const belief = row > 0 && needs.reachedRows() !== null ? run.beliefs[0]?.[row - 1] : undefined;
    if (!belief) return null;
    const { height, width } = run.frames;
    const count = belief.length / (height * width * 3);
    const frames = { data: belief, count, height, width };
    return { frames, context: run.context, known: new Array<boolean>(count).fill(true) };
  };

  const refresh = () => {
    const { clip: id, horizon } = settings.get();
    const ofClip = runsOfClip(runs.getState(), id);
    const shown = shownRun(runs.getState());
    const run = shown?.settings.clip === id ? shown : (ofClip.at(-1) ?? null);
    if (run && run !== shown) {
      // This comes back here with the run in place.
      runs.setState({ shown: run.id });
      return;
    }
    const now = live.getState();
    const underWay = isBusy(now) && now.settings?.clip === id ? now : null;
    const clip = entryOf(clips.getState(), id)?.clip ?? null;
    const pixels = clip?.pixels ? { ...clip.pixels, count: clip.length } : null;
    const before = scene.getState();
    const same = before.clip === id && before.pixels?.data === pixels?.data;
    scene.setState({
      clip: id,
      pixels: same ? before.pixels : pixels,
      reconstruction:
        underWay?.reconstruction ??
        run?.reconstruction ??
        ofClip.find((one) => one.reconstruction)?.reconstruction ??
        null,
      prediction: underWay?.prediction ?? (run && (peek(run) ?? predictionOf(run))),
      aspect:
        clip && clip.pixels && Math.abs(clip.aspect - clip.pixels.width / clip.pixels.height) > 1e-3
          ? clip.aspect
          : null,
      version: before.version + 1,
    });
    const wanted = Math.max(horizon, underWay?.prediction?.frames.count ?? run?.frames.count ?? 0);
    cursor.setCount(clip ? Math.min(clip.length, wanted) : (run?.frames.count ?? 0));
  };

  refresh();
  const stops = [settings.store, clips, runs, live, hover].map((store) => store.subscribe(refresh));
  return () => {
    stops.forEach((stop) => stop());
    predictions = new WeakMap();
  };
}
