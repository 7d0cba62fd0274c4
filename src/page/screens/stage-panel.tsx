import { useCallback, useEffect, useRef } from 'react';
import { mountPicture } from '../stage/picture.ts';
import { runColour } from '../colour/runs.ts';
import { css } from '../colour/noise.ts';
import { isBusy } from '../stores/live.ts';
import { shownRun } from '../stores/runs.ts';
import { knows } from '../stores/scene.ts';
import { GAINS } from '../stores/view.ts';
import type { PictureKind, TruthKind } from '../stores/view.ts';
import { Choice } from '../ui/choice.tsx';
import { Painted } from '../ui/painted.tsx';
import { words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

const KINDS: readonly PictureKind[] = ['truth', 'prediction', 'difference'];

/** Truth, prediction and difference on one frame cursor. */
export function StagePanel() {
  const app = useApp();
  const stage = useRef<HTMLElement>(null);
  // Where pictures are swiped through, a run brings its own into sight.
  useEffect(
    () =>
      app.live.subscribe((now, before) => {
        if (now.status !== 'running' || before.status === 'running') return;
        const picture = stage.current?.children[KINDS.indexOf('prediction')];
        if (stage.current && picture instanceof HTMLElement)
          stage.current.scrollLeft = picture.offsetLeft - 16;
      }),
    [app],
  );
  return (
    <section ref={stage} className="stage" id="stage" aria-label={words.strip} tabIndex={-1}>
      {KINDS.map((kind) => (
        <Picture key={kind} kind={kind} />
      ))}
    </section>
  );
}

function Picture({ kind }: { readonly kind: PictureKind }) {
  const app = useApp();
  const figure = useRef<HTMLElement>(null);
  const mount = useCallback(
    (canvas: HTMLCanvasElement) =>
      figure.current?.parentElement
        ? mountPicture(canvas, figure.current, figure.current.parentElement, kind, app)
        : () => undefined,
    [app, kind],
  );
  return (
    <figure ref={figure} className="picture" data-kind={kind}>
      <figcaption className="picture-head">
        <h2>{words.pictures[kind]}</h2>
        {kind === 'truth' && <TruthChoice />}
        {kind === 'prediction' && <Source />}
        {kind === 'difference' && <GainChoice />}
      </figcaption>
      <div className="picture-box">
        <Painted className="pixels" label={words.pictures[kind]} mount={mount} />
        {kind !== 'truth' && <Nothing />}
      </div>
    </figure>
  );
}

function TruthChoice() {
  const app = useApp();
  const truth = useFrom(app.view, (view) => view.truth);
  const without = useFrom(app.scene, (scene) => scene.reconstruction === null);
  return (
    <Choice<TruthKind>
      label={words.truthChoice}
      value={without ? 'pixels' : truth}
      options={(['pixels', 'reconstruction'] as const).map((value) => ({
        value,
        label: words.truthKinds[value],
        hint: value === 'reconstruction' && without ? words.reconstructionLater : words.truthHints[value],
        disabled: value === 'reconstruction' && without,
      }))}
      onChange={(value) => app.view.setState({ truth: value })}
    />
  );
}

function GainChoice() {
  const app = useApp();
  const gain = useFrom(app.view, (view) => view.gain);
  return (
    <label className="gain" title={words.differenceHint}>
      <span className="unseen">{words.gain}</span>
      <select
        className="select"
        value={gain}
        onChange={(event) => app.view.setState({ gain: Number(event.target.value) })}
      >
        {GAINS.map((times) => (
          <option key={times} value={times}>
            {words.gainTimes(times)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Which run the prediction is from: the one under way, one of this visit, or the recorded one. */
function Source() {
  const app = useApp();
  const theme = useFrom(app.theme, (state) => state.theme);
  const live = useFrom(app.live, (state) => (isBusy(state) ? state.settings : null));
  const run = useFrom(app.runs, shownRun);
  const there = useFrom(app.scene, (scene) => scene.prediction !== null);
  const row = usePeekedRow();
  const settings = live ?? run?.settings;
  if (!settings || !there) return null;
  const order = live ? app.nextOrder() : run!.order;
  const name = words.runNames(settings.mode, settings.steps, settings.lag);
  return (
    <p className="source" title={run?.recordedOn ? words.recordedOn(run.device, run.recordedOn) : undefined}>
      <span className="dot" style={{ background: css(runColour(order, theme)) }} />
      <span className="source-name">{row ? words.afterRow(row) : order < 0 ? words.recorded : name}</span>
    </p>
  );
}

/** The row of the matrix whose belief is shown instead of the result; null when none is being read. */
function usePeekedRow(): number | null {
  const app = useApp();
  const row = useFrom(app.hover, ({ cell }) => cell?.row ?? 0);
  const run = useFrom(app.runs, shownRun);
  const busy = useFrom(app.live, isBusy);
  const there = row > 0 && run?.beliefs[0]?.[row - 1] !== undefined;
  return there && !busy && app.reachedRows() !== null ? row : null;
}

/** Words in place of a prediction that is not there. */
function Nothing() {
  const app = useApp();
  const empty = useFrom(
    app.scene,
    (scene) => scene.pixels !== null && !knows(scene.prediction, scene.prediction?.context ?? 0),
  );
  const busy = useFrom(app.live, isBusy);
  if (!empty || busy) return null;
  return (
    <div className="nothing">
      <p>{words.noPrediction}</p>
      <p>{words.noPredictionNext}</p>
    </div>
  );
}
