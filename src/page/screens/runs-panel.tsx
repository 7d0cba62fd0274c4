import { useMemo } from 'react';
import { css } from '../colour/noise.ts';
import { runColour } from '../colour/runs.ts';
import { format, runName } from '../chart/series.ts';
import { isStale, mean, runsOfClip, shownRun } from '../stores/runs.ts';
import type { Run } from '../stores/runs.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { duration, words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

/** The runs of this clip in this visit. The one that is shown is marked, and so is that it is no longer what is wanted. */
export function RunsPanel() {
  const app = useApp();
  const state = useFrom(app.runs, (runs) => runs);
  const clip = useFrom(app.settings.store, ({ present }) => present.clip);
  const runs = useMemo(() => [...runsOfClip(state, clip)].reverse(), [state, clip]);
  return (
    <section className="runs" aria-label={words.runs}>
      <div className="panel-head">
        <h2>{words.runs}</h2>
        <Stale />
      </div>
      {runs.length === 0 ? (
        <Note sentence={words.noRuns} />
      ) : (
        <div className="table-box runs-box">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{words.runHeads.run}</th>
                <th scope="col" title={words.measureHints.psnr}>
                  {words.runHeads.psnr}
                </th>
                <th scope="col" title={words.measureHints.ssim}>
                  {words.runHeads.ssim}
                </th>
                <th scope="col">{words.runHeads.calls}</th>
                <th scope="col">{words.runHeads.time}</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <Row key={run.id} run={run} shown={run.id === state.shown} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ run, shown }: { readonly run: Run; readonly shown: boolean }) {
  const app = useApp();
  const { theme } = useFrom(app.theme, (state) => state);
  const against = useFrom(app.view, (view) => view.truth);
  const measures = run.measures[against];
  const where = run.recordedOn === null ? run.device : words.recordedOn(run.device, run.recordedOn);
  return (
    <tr data-shown={shown || undefined} className="run" onClick={() => app.showRun(run.id)}>
      <th scope="row">
        <button type="button" className="run-name" aria-pressed={shown} title={where}>
          <span className="dot" style={{ background: css(runColour(run.order, theme)) }} />
          {runName(run)}
        </button>
      </th>
      <td>{format(mean(measures.psnr), 'psnr')}</td>
      <td>{format(mean(measures.ssim), 'ssim')}</td>
      <td>{run.networkCalls}</td>
      <td title={where}>{duration(run.seconds)}</td>
    </tr>
  );
}

function Stale() {
  const app = useApp();
  const run = useFrom(app.runs, shownRun);
  const wanted = useFrom(app.settings.store, ({ present }) => present);
  if (!run || run.settings.clip !== wanted.clip || !isStale(run, wanted)) return null;
  return (
    <p className="stale">
      {words.stale} <Button kind="text" label={words.useItsSettings} onPress={() => app.useSettingsOf(run)} />
    </p>
  );
}
