import { useMemo } from 'react';
import { isBusy } from '../stores/live.ts';
import { shownRun } from '../stores/runs.ts';
import { SPEEDS } from '../stores/view.ts';
import { Button } from '../ui/button.tsx';
import { LiveText } from '../ui/live-text.tsx';
import { words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

export function Transport() {
  const app = useApp();
  const { cursor, view } = app;
  const playing = useFrom(cursor.store, (state) => state.playing);
  const still = useFrom(cursor.store, (state) => state.count < 2);
  const loop = useFrom(view, (state) => state.loop);
  const speed = useFrom(view, (state) => state.speed);
  const sources = useMemo(() => [cursor.store, app.plan], [cursor, app.plan]);
  const read = useMemo(
    () => () => {
      const { frame, count } = cursor.store.getState();
      if (count === 0) return '';
      return words.frameOf(frame, count - 1, frame < app.contextFrames());
    },
    [app, cursor],
  );
  return (
    <div className="transport" role="toolbar" aria-label={words.transport}>
      <Button
        kind="quiet"
        iconOnly
        icon="first"
        className="transport-end"
        label={words.first}
        keys="Home"
        disabled={still}
        onPress={() => cursor.go(0)}
      />
      <Button
        kind="quiet"
        iconOnly
        icon="stepBack"
        label={words.stepBack}
        keys="←"
        disabled={still}
        onPress={() => cursor.step(-1)}
      />
      <Button
        iconOnly
        icon={playing ? 'pause' : 'play'}
        label={playing ? words.pause : words.play}
        keys="Space"
        disabled={still}
        onPress={cursor.toggle}
      />
      <Button
        kind="quiet"
        iconOnly
        icon="stepForward"
        label={words.stepForward}
        keys="→"
        disabled={still}
        onPress={() => cursor.step(1)}
      />
      <Button
        kind="quiet"
        iconOnly
        icon="last"
        className="transport-end"
        label={words.last}
        keys="End"
        disabled={still}
        onPress={() => cursor.go(Infinity)}
      />
      <Button
        kind="quiet"
        iconOnly
        icon="loop"
        label={words.loop}
        keys="L"
        pressed={loop}
        onPress={() => view.setState({ loop: !loop })}
      />
      <label title={words.speed}>
        <span className="unseen">{words.speed}</span>
        <select
          className="select"
          value={speed}
          onChange={(event) => view.setState({ speed: Number(event.target.value) })}
        >
          {SPEEDS.map((fps) => (
            <option key={fps} value={fps}>
              {words.fps(fps)}
            </option>
          ))}
        </select>
      </label>
      <LiveText className="transport-frame" sources={sources} read={read} />
      <RecordedNote />
    </div>
  );
}

/** That the pictures were not computed here, and where and when they were. */
function RecordedNote() {
  const app = useApp();
  const run = useFrom(app.runs, shownRun);
  const busy = useFrom(app.live, isBusy);
  if (busy || !run?.recordedOn) return null;
  return (
    <p className="recorded-note" title={words.recordedOn(run.device, run.recordedOn)}>
      {words.recordedNote(run.recordedOn)}
    </p>
  );
}
