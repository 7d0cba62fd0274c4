import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { Report } from '../stores/trust-kept.ts';
import type { GraphTest } from '../../../workers/protocol.ts';
import {
  deviationWords,
  largestWords,
  leadOf,
  lightOfGraph,
  notesOf,
  reportText,
  resultOf,
  TRUST_WORDS,
} from '../words/trust.ts';
import { words } from '../words.ts';
import { isBusy } from '../stores/live.ts';
import { TrustDot } from './trust-dot.tsx';
import { useApp, useFrom } from './use-app.ts';

/** The numbers behind the light, what they mean, and testing again. */
export function TrustSheet() {
  const app = useApp();
  const open = useFrom(app.view, ({ sheet }) => sheet === 'trust');
  return (
    <Sheet title={TRUST_WORDS.title} closeLabel={words.close} open={open} onClose={app.closeSheet}>
      <div className="about">
        <Found />
        <Fallbacks />
        <h2>{TRUST_WORDS.howTitle}</h2>
        {TRUST_WORDS.how.map((sentence) => (
          <p key={sentence} className="trust-how">
            {sentence}
          </p>
        ))}
      </div>
    </Sheet>
  );
}

function Found() {
  const app = useApp();
  const trust = useFrom(app.trust.store, (state) => state);
  switch (trust.status) {
    case 'unknown':
      return (
        <>
          <p>{TRUST_WORDS.unknown}</p>
          <p className="trust-buttons">
            <Again label={TRUST_WORDS.now} />
          </p>
        </>
      );
    case 'testing':
      return <p role="status">{TRUST_WORDS.testing(trust.progress)}</p>;
    case 'refused':
      return (
        <Note tone="bad" sentence={TRUST_WORDS.refused}>
          <p>{trust.sentence}</p>
          <Again label={TRUST_WORDS.again} />
        </Note>
      );
    case 'failed':
      return (
        <Note tone="bad" sentence={`${TRUST_WORDS.failed} ${trust.sentence}`}>
          <Again label={TRUST_WORDS.again} />
        </Note>
      );
    case 'done':
      return <Numbers report={trust.report} />;
  }
}

function Numbers({ report }: { readonly report: Report }) {
  const app = useApp();
  const title = useFrom(app.model, (model) => (model.status === 'ready' ? model.opened.manifest.title : ''));
  const { heads } = TRUST_WORDS;
  return (
    <>
      <p className="trust-lead">{leadOf(report)}</p>
      <div className="table-box">
        <table className="table trust-table">
          <thead>
            <tr>
              {[heads.graph, heads.result, heads.deviation, heads.largest, heads.time].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report.graphs.map((graph) => (
              <Row key={graph.graph} graph={graph} />
            ))}
          </tbody>
        </table>
      </div>
      {notesOf(report.graphs).map((note) => (
        <p key={note} className="trust-how">
          {note}
        </p>
      ))}
      <p className="trust-how">{TRUST_WORDS.device(report.device, report.date)}</p>
      <p className="trust-buttons">
        <Again label={TRUST_WORDS.again} />
        <Button
          icon="copy"
          label={TRUST_WORDS.copy}
          onPress={() => void app.copy(reportText(report, title), TRUST_WORDS.copied)}
        />
      </p>
    </>
  );
}

function Row({ graph }: { readonly graph: GraphTest }) {
  const light = lightOfGraph(graph);
  return (
    <tr>
      <th scope="row">
        {graph.graph}
        <span className="trust-against">{TRUST_WORDS.against(graph.against)}</span>
      </th>
      <td className="trust-result">
        <TrustDot light={light} /> {resultOf(graph)}
      </td>
      <td>{deviationWords(graph.deviation)}</td>
      <td>{largestWords(graph.largest)}</td>
      <td>{TRUST_WORDS.milliseconds(graph.milliseconds)}</td>
    </tr>
  );
}

function Again({ label }: { readonly label: string }) {
  const app = useApp();
  const busy = useFrom(app.live, isBusy);
  return <Button label={label} disabled={busy} onPress={() => void app.trust.again()} />;
}

/** What was left before this device was taken, the self-test's own decisions among it. */
function Fallbacks() {
  const app = useApp();
  const opened = useFrom(app.model, (model) => (model.status === 'ready' ? model.opened : null));
  return opened?.device.fallbacks.map((sentence) => (
    <p key={sentence} className="trust-how">
      {sentence}
    </p>
  ));
}
