import { useMemo, useState } from 'react';
import { seriesOf, toCsv } from '../chart/series.ts';
import type { Series } from '../chart/series.ts';
import { runsOfClip } from '../stores/runs.ts';
import type { Measure, TruthKind } from '../stores/view.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Note } from '../ui/note.tsx';
import { words } from '../words.ts';
import { Chart } from './chart.tsx';
import { MeasureTable } from './measure-table.tsx';
import { useApp, useFrom } from './use-app.ts';

/** PSNR and SSIM, frame by frame: a chart, or the same numbers as a table. */
export function MeasuresPanel() {
  const app = useApp();
  const { measure, truth, asTable } = useFrom(app.view, (view) => view);
  const { theme } = useFrom(app.theme, (state) => state);
  const state = useFrom(app.runs, (runs) => runs);
  const clip = useFrom(app.settings.store, ({ present }) => present.clip);
  const runs = useMemo(() => runsOfClip(state, clip), [state, clip]);
  const series = useMemo(
    () => seriesOf(runs, state.shown, { measure, against: truth }, theme),
    [runs, state.shown, measure, truth, theme],
  );
  const copyCsv = () => void app.copy(toCsv(runs));
  return (
    <section className="measures" aria-label={words.measureChoice}>
      <div className="panel-head">
        <Choice<Measure>
          label={words.measureChoice}
          value={measure}
          options={(['psnr', 'ssim'] as const).map((value) => ({
            value,
            label: words.measures[value],
            hint: words.measureHints[value],
          }))}
          onChange={(value) => app.view.setState({ measure: value })}
        />
        <label className="against">
          <span>{words.against}</span>
          <select
            className="select"
            value={truth}
            onChange={(event) => app.view.setState({ truth: event.target.value as TruthKind })}
          >
            {(['reconstruction', 'pixels'] as const).map((kind) => (
              <option key={kind} value={kind}>
                {words.againstKinds[kind]}
              </option>
            ))}
          </select>
        </label>
        <span className="panel-tools">
          <Button
            kind="quiet"
            iconOnly
            icon="table"
            label={asTable ? words.showChart : words.showTable}
            keys="V"
            pressed={asTable}
            disabled={series.length === 0}
            onPress={() => app.view.setState({ asTable: !asTable })}
          />
          <Button
            kind="quiet"
            iconOnly
            icon="copy"
            label={words.copyCsv}
            keys="C"
            disabled={series.length === 0}
            onPress={copyCsv}
          />
        </span>
      </div>
      <Body series={series} asTable={asTable} measure={measure} />
    </section>
  );
}

interface BodyProps {
  readonly series: readonly Series[];
  readonly asTable: boolean;
  readonly measure: Measure;
}

function Body({ series, asTable, measure }: BodyProps) {
  const [failed, setFailed] = useState(false);
  if (series.length === 0)
    return (
      <div className="chart chart-empty">
        <Note sentence={words.noMeasures} />
      </div>
    );
  if (asTable || failed) {
    return (
      <>
        {failed && <Note tone="warn" sentence={words.chartFailed} />}
        <MeasureTable series={series} measure={measure} />
      </>
    );
  }
  return <Chart series={series} measure={measure} onFailed={() => setFailed(true)} />;
}
