import { format, measuredFrames } from '../chart/series.ts';
import type { Series } from '../chart/series.ts';
import { mean } from '../stores/runs.ts';
import type { Measure } from '../stores/view.ts';
import { words } from '../words.ts';

/** The chart's exact values: a row a run, a column a frame. */
export function MeasureTable({
  series,
  measure,
}: {
  readonly series: readonly Series[];
  readonly measure: Measure;
}) {
  const frames = measuredFrames(series);
  return (
    <div className="table-box">
      <table className="table">
        <caption className="unseen">{words.measures[measure]}</caption>
        <thead>
          <tr>
            <th scope="col">{words.runHeads.run}</th>
            {frames.map((frame) => (
              <th key={frame} scope="col">
                {words.frame.toLowerCase()} {frame}
              </th>
            ))}
            <th scope="col">{words.mean}</th>
          </tr>
        </thead>
        <tbody>
          {series.map(({ id, name, colour, values, shown }) => (
            <tr key={id} data-shown={shown || undefined}>
              <th scope="row">
                <span className="dot" style={{ background: colour }} />
                {name}
              </th>
              {frames.map((frame) => (
                <td key={frame}>{format(values[frame] ?? null, measure)}</td>
              ))}
              <td>{format(mean(values), measure)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
