/** All stores and what can be done with them, put together once; screens get it from their context. */
import { parseAddress } from '../address.ts';
import { createEngine } from '../engine/workers.ts';
import type { Engine } from '../engine/workers.ts';
import type { Theme } from '../colour/runs.ts';
import { words } from '../words.ts';
import { FIRST_DEFAULTS, createBundle } from './bundle.ts';
import type { BundleStore } from './bundle.ts';
import { createClips } from './clips.ts';
import type { ClipsStore } from './clips.ts';
import { createCursor } from './cursor.ts';
import type { CursorStore } from './cursor.ts';
import { createEstimate } from './estimate.ts';
import type { EstimateStore } from './estimate.ts';
import { createHover } from './hover.ts';
import type { HoverStore } from './hover.ts';
import { createLibrary } from './library.ts';
import type { Library } from './library.ts';
import { createLive, isBusy } from './live.ts';
import type { LiveStore } from './live.ts';
import { createModel } from './model.ts';
import type { ModelStore } from './model.ts';
import { createModels } from './models.ts';
import type { Models } from './models.ts';
import { createNotices } from './notices.ts';
import type { NoticesStore } from './notices.ts';
import { createOpening } from './opening.ts';
import type { Opening, Removing } from './opening.ts';
import { createPlan } from './plan.ts';
import type { PlanStore } from './plan.ts';
import { createRolling } from './rolling.ts';
import type { Rolling } from './rolling.ts';
import { createRuns } from './runs.ts';
import type { RunsStore } from './runs.ts';
import { createScene } from './scene.ts';
import type { SceneStore } from './scene.ts';
import { sentence } from './sentence.ts';
import { createSettings } from './settings.ts';
import type { SettingsStore } from './settings.ts';
import { createTheme } from './theme.ts';
import type { ThemeStore } from './theme.ts';
import { createTrust } from './trust.ts';
import type { Trusting } from './trust.ts';
import { createTrustKept } from './trust-kept.ts';
import { whenQuiet } from './idle.ts';
import { DEFAULT_VIEW, FIRST_FRAME, createView } from './view.ts';
import type { ViewStore } from './view.ts';

/** The stores and the machinery under them. */
export interface Core {
  readonly engine: Engine;
  /** What the address asked for, to be applied again when the bundle's defaults are known. */
  readonly linked: ReturnType<typeof parseAddress>;
  readonly settings: SettingsStore;
  readonly view: ViewStore;
  readonly theme: ThemeStore;
  readonly cursor: CursorStore;
  readonly hover: HoverStore;
  readonly scene: SceneStore;
  readonly clips: ClipsStore;
  readonly library: Library;
  readonly bundle: BundleStore;
  readonly model: ModelStore;
  readonly models: Models;
  readonly opening: Opening & Removing;
  readonly plan: PlanStore;
  readonly estimate: EstimateStore;
  readonly live: LiveStore;
  readonly runs: RunsStore;
  readonly rolling: Rolling;
  readonly notices: NoticesStore;
  readonly trust: Trusting;
  /** What the last run took over what was estimated; changes the next estimate. */
  readonly correction: { factor: number };
}

/** @param hash the address's part behind the #. */
export function createCore(hash: string, theme: Theme): Core {
  const linked = parseAddress(hash);
  const notices = createNotices();
  const live = createLive();
  const model = createModel();
  const engine = createEngine((which, message, heard) => {
    // Who waits for the worker shows it where it was asked for, and takes it away when it works; a self-test does not.
    const tested = which === 'inference' && model.getState().status !== 'loading' && !isBusy(live.getState());
    if (!heard || tested) notices.say('warn', sentence(message));
    if (which === 'inference') {
      model.setState({ status: 'empty' }, true);
      if (isBusy(live.getState())) live.setState({ secondsLeft: null });
    }
  });
  const clips = createClips();
  const library = createLibrary(clips, engine);
  const bundle = createBundle();
  const settings = createSettings({ ...FIRST_DEFAULTS, ...linked.linked?.settings }, () => performance.now());
  const kept = createTrustKept(() => localStorage);
  const opening = createOpening(model, engine, kept.distrusted);
  const runs = createRuns();
  const estimate = createEstimate();
  const correction = { factor: 1 };
  const sizeOfFrames = () => bundle.getState().manifest?.codec?.imageSize[0] ?? 64;
  const rolling = createRolling({
    engine,
    settings,
    live,
    runs,
    notices,
    opening,
    clip: (id) => library.get(id, sizeOfFrames()),
    took: (seconds) => {
      const said = estimate.getState().seconds;
      if (said !== null && said > 0)
        correction.factor = Math.min(10, Math.max(0.1, (correction.factor * seconds) / said));
    },
  });
  if (linked.failure !== null) notices.say('warn', words.brokenLink(linked.failure));
  return {
    engine,
    linked,
    settings,
    view: createView({ ...DEFAULT_VIEW, ...linked.linked?.view }),
    theme: createTheme(theme),
    cursor: createCursor(linked.linked?.frame ?? FIRST_FRAME),
    hover: createHover(),
    scene: createScene(),
    clips,
    library,
    bundle,
    model,
    models: createModels(engine, notices),
    opening,
    plan: createPlan(),
    estimate,
    live,
    runs,
    rolling,
    notices,
    trust: createTrust({
      engine,
      model,
      live,
      notices,
      opening,
      settings,
      kept,
      whenIdle: whenQuiet,
      now: () => new Date(),
    }),
    correction,
  };
}
