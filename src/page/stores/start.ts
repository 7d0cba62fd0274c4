/** Sets the stores going: what follows from what, and what is fetched when. */
import { TRAINED_MAP, unseenMap } from '../../../models/worlds/maze/live.ts';
import { parseAddress } from '../address.ts';
import { isolate } from '../isolation.ts';
import { words } from '../words.ts';
import type { Core } from './core.ts';
import { FIRST_DEFAULTS } from './bundle.ts';
import { entryOf } from './clips.ts';
import { estimateSeconds } from './estimate.ts';
import { whenIdle } from './idle.ts';
import { planOf } from './plan.ts';
import type { Readings } from './readings.ts';
import { unfit } from './fitting-model.ts';
import { linkOf } from './link.ts';
import { loadRecording } from './recorded.ts';
import { failureOf } from './sentence.ts';
import { keepShowing } from './showing.ts';
import { specOf } from './spec.ts';
import { keepBundle, loadBundle, shorten } from './using.ts';
import { DEFAULT_VIEW, FIRST_FRAME } from './view.ts';

/** Plan and estimate follow from settings, bundle and device. */
function keepPlanning({
  settings,
  bundle,
  clips,
  plan,
  estimate,
  model,
  correction,
  live,
  runs,
  scene,
}: Core): void {
  const replan = () => {
    const { manifest } = bundle.getState();
    // While a run goes, its own matrix is on show.
    const wanted = live.getState().settings ?? settings.get();
    if (!manifest) return;
    try {
      const clip = entryOf(clips.getState(), wanted.clip)?.clip ?? null;
      const now = planOf(specOf(wanted, manifest), manifest);
      plan.setState({ plan: now, failure: unfit(manifest, clip) });
    } catch (error) {
      plan.setState({ plan: null, failure: failureOf(error).sentence });
    }
  };
  const reckon = () => {
    const state = model.getState();
    const { plan: now } = plan.getState();
    const clipFrames = scene.getState().pixels?.count ?? now?.horizon ?? 0;
    const seconds =
      state.status === 'ready' && now
        ? estimateSeconds(now, clipFrames, state.opened.speed, correction.factor)
        : null;
    if (seconds !== estimate.getState().seconds) estimate.setState({ seconds });
  };
  settings.store.subscribe(replan);
  bundle.subscribe(replan);
  clips.subscribe((now, before) => {
    if (now.entries !== before.entries) replan();
  });
  live.subscribe((now, before) => {
    if (now.settings !== before.settings) replan();
  });
  plan.subscribe(reckon);
  model.subscribe(reckon);
  runs.subscribe(reckon);
  scene.subscribe((now, before) => {
    if (now.pixels !== before.pixels) reckon();
  });
}

/** Milliseconds without a change before the address is written: browsers refuse to be written to all the time. */
const ADDRESS_PAUSE = 150;

function keepAddress(core: Core): void {
  const { settings, view, cursor, bundle } = core;
  let timer = 0;
  const write = () => {
    timer = 0;
    if (cursor.store.getState().playing) return;
    const link = linkOf(core);
    if (link !== location.href) history.replaceState(history.state, '', link);
  };
  const later = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(write, ADDRESS_PAUSE);
  };
  for (const store of [settings.store, view, cursor.store, bundle]) store.subscribe(later);
}

/** A link followed inside the page, or an address changed by hand: the same as opening it anew. */
function followAddress({ settings, view, cursor, bundle, notices }: Core): void {
  window.addEventListener('hashchange', () => {
    const { linked, failure } = parseAddress(location.hash);
    if (!linked) {
      notices.say('warn', words.brokenChange(failure));
      return;
    }
    const { defaults } = bundle.getState();
    settings.change({ ...defaults, bundle: FIRST_DEFAULTS.bundle, ...linked.settings });
    view.setState({ ...DEFAULT_VIEW, ...linked.view });
    cursor.go(linked.frame ?? FIRST_FRAME);
  });
}

/** The clip that is wanted, and its recorded result while there is no run of it. */
function keepClip(app: Core): void {
  const { settings, library, clips, bundle, runs } = app;
  let last = '';
  const follow = () => {
    const { clip } = settings.get();
    if (clip === last) return;
    last = clip;
    const size = bundle.getState().manifest?.codec?.imageSize[0] ?? 64;
    library
      .get(clip, size)
      .then(({ length }) => {
        if (settings.get().clip === clip) clips.setState({ absent: null });
        if (clips.getState().status !== 'failed') clips.setState({ failure: null });
        shorten(app, clip, length);
      })
      .catch((error: unknown) => {
        clips.setState({ failure: failureOf(error).sentence });
        // What is only missing may still come, and so may the list that would name it.
        const unknown = error instanceof Error && error.name === 'unknown';
        if (unknown && clips.getState().status !== 'failed') clips.setState({ absent: clip });
      });
    void loadRecording(clip, runs, bundle.getState().defaults);
  };
  follow();
  settings.store.subscribe(follow);
}

/** A choice that the model cannot know anything about is told, once for each time that it is made. */
function keepWarning({ settings, notices }: Core): void {
  let last: string | null = null;
  const look = () => {
    const { bundle, clip } = settings.get();
    const map = unseenMap(bundle, clip);
    const sentence = map === null ? null : words.unseenMap(map, TRAINED_MAP);
    if (sentence === last) return;
    if (last !== null) notices.unsay(last);
    if (sentence !== null) notices.say('warn', sentence);
    last = sentence;
  };
  look();
  settings.store.subscribe(look);
}

/** First what is seen, then the list of clips, then, when nothing else is to do, the weights. */
export function start(app: Core & Pick<Readings, 'reachedRows'>): void {
  keepPlanning(app);
  keepBundle(app);
  keepClip(app);
  keepWarning(app);
  keepShowing(app);
  keepAddress(app);
  followAddress(app);
  app.trust.follow();
  const isolated = isolate(() => app.model.getState().status === 'empty');
  const named = loadBundle(app).then(() => void app.library.loadIndex());
  void Promise.all([named, isolated]).then(() => {
    whenIdle(() => {
      if (savesData() || app.bundle.getState().status !== 'ready') return;
      void app.opening.open(app.settings.get()).catch(() => undefined);
    });
  });
}

/** A visitor who pays for bytes asks for the weights by pressing Run. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
