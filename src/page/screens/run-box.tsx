import { useCallback, useMemo } from 'react';
import { isBusy } from '../stores/live.ts';
import { Button } from '../ui/button.tsx';
import { LiveText } from '../ui/live-text.tsx';
import { Note } from '../ui/note.tsx';
import { LiveProgress } from '../ui/live-progress.tsx';
import { words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

/** What the run will cost, and the button; while it goes, how far it is. */
export function RunBox() {
  const app = useApp();
  const busy = useFrom(app.live, isBusy);
  return (
    <section className="run-box" aria-label={words.run}>
      {busy ? <Underway /> : <Cost />}
      <RunButton />
      <RunFailure />
    </section>
  );
}

/** Why the last run gave nothing. What the model's own panel says already is not said twice. */
export function RunFailure({ always = false }: { readonly always?: boolean }) {
  const app = useApp();
  const failure = useFrom(app.live, (live) => live.failure);
  const told = useFrom(app.model, ({ status }) => status === 'failed') && !always;
  if (!failure || told) return null;
  return (
    <Note
      tone="bad"
      sentence={failure.sentence}
      details={{ label: words.details, text: failure.details }}
      action={{ label: words.retry, onPress: () => void app.run() }}
    />
  );
}

export function RunButton() {
  const app = useApp();
  const status = useFrom(app.live, (live) => live.status);
  const busy = useFrom(app.live, isBusy);
  const possible = useFrom(app.plan, ({ plan, failure }) => plan !== null && failure === null);
  const absent = useAbsentClip();
  const stopping = status === 'stopping';
  return busy ? (
    <Button className="run-button" label={words.cancel} keys="Esc" disabled={stopping} onPress={app.cancel} />
  ) : (
    <Button
      kind="primary"
      className="run-button"
      label={words.run}
      keys="R"
      disabled={!possible || absent}
      onPress={() => void app.run()}
    />
  );
}

/** Whether the clip that is chosen does not exist. */
function useAbsentClip(): boolean {
  const app = useApp();
  const clip = useFrom(app.settings.store, (state) => state.present.clip);
  return useFrom(app.clips, ({ absent }) => absent) === clip;
}

/** Network calls, frame evaluations and seconds, before anything is computed. */
function Cost() {
  const app = useApp();
  const { plan, failure } = useFrom(app.plan, (state) => state);
  const seconds = useFrom(app.estimate, (state) => state.seconds);
  const unknown = useFrom(app.bundle, ({ status }) => status === 'failed');
  const absent = useAbsentClip();
  if (absent) return <Note tone="warn" sentence={words.clipAbsent} />;
  if (failure) return <Note tone="warn" sentence={failure} />;
  if (!plan) return <Note sentence={unknown ? words.planNever : words.planLater} />;
  return (
    <div className="cost">
      {seconds === null ? (
        <p className="cost-later">{words.estimateLater}</p>
      ) : (
        <p className="cost-time">
          <strong>{words.estimate(seconds)}</strong> {words.onThisDevice}
        </p>
      )}
      <p className="cost-counts" title={words.frameEvaluationsHint}>
        {words.networkCalls(plan.networkCalls)}, {words.frameEvaluations(plan.frameEvaluations)}
      </p>
    </div>
  );
}

function Underway() {
  const app = useApp();
  const sources = useMemo(() => [app.live, app.model], [app]);
  const read = useCallback(() => app.progressWords(), [app]);
  const share = useCallback(() => app.progressShare(), [app]);
  return (
    <div className="cost">
      <p className="cost-progress">
        <LiveText sources={sources} read={read} />
      </p>
      <LiveProgress sources={sources} read={share} label={words.run} />
    </div>
  );
}

/** Cost in one line, for the bar at the bottom of a phone. */
export function CostLine() {
  const app = useApp();
  const sources = useMemo(() => [app.live, app.model, app.plan, app.estimate, app.clips], [app]);
  const read = useCallback(() => app.costLine(), [app]);
  return <LiveText className="cost-line" sources={sources} read={read} />;
}
