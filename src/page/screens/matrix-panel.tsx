import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { CSSProperties } from 'react';
import { mountMatrix } from '../stage/matrix.ts';
import { mountScale } from '../stage/scale.ts';
import { mountThumb } from '../stage/thumb.ts';
import { entryOf } from '../stores/clips.ts';
import { forceBefore } from '../stores/forces.ts';
import { Arrow } from '../ui/arrow.tsx';
import { LiveText } from '../ui/live-text.tsx';
import { Note } from '../ui/note.tsx';
import { Painted } from '../ui/painted.tsx';
import { cellWords, scheduleWords } from '../words/schedule.ts';
import { words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

/** The frames as a strip, and under each its column of the scheduling matrix. */
export function MatrixPanel() {
  const app = useApp();
  const count = useFrom(app.cursor.store, (state) => state.count);
  const frames = useFrom(app.plan, ({ plan }) => plan?.frames ?? 0);
  const columns = Math.max(count, frames);
  return (
    <section className="matrix" aria-label={words.matrix} style={{ '--columns': columns } as CSSProperties}>
      <div className="matrix-head">
        <h2>{words.matrix}</h2>
      </div>
      <Strip count={count} />
      <Matrix />
      <Scale />
    </section>
  );
}

function Strip({ count }: { readonly count: number }) {
  return (
    <ol className="strip" aria-label={words.strip}>
      {Array.from({ length: count }, (_, frame) => (
        <Thumb key={frame} frame={frame} />
      ))}
    </ol>
  );
}

function Thumb({ frame }: { readonly frame: number }) {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  const context = useFrom(app.plan, () => frame < app.contextFrames());
  const last = useFrom(app.cursor.store, (state) => state.count - 1);
  const mount = useCallback(
    (canvas: HTMLCanvasElement) =>
      button.current ? mountThumb(canvas, button.current, frame, app, app.live, app.plan) : () => undefined,
    [app, frame],
  );
  return (
    <li>
      <button
        ref={button}
        type="button"
        className="thumb"
        data-context={context || undefined}
        aria-label={words.frameOf(frame, last, context)}
        onClick={() => app.cursor.go(frame)}
      >
        <Painted className="pixels" mount={mount} />
        <span className="thumb-label">
          {frame}
          <ForceArrow frame={frame} />
        </span>
        <span className="thumb-level" />
      </button>
    </li>
  );
}

/** What the model is told about the way to this frame. */
function ForceArrow({ frame }: { readonly frame: number }) {
  const app = useApp();
  const id = useFrom(app.settings.store, ({ present }) => present.clip);
  const clip = useFrom(app.clips, (clips) => entryOf(clips, id)?.clip ?? null);
  const isMaze = useFrom(app.bundle, ({ manifest }) => manifest?.action?.kind === 'maze');
  const force = clip && isMaze ? forceBefore(clip.actions, frame) : null;
  if (!force) return null;
  return <Arrow {...force} label={words.force(force.right, force.up)} />;
}

function Matrix() {
  const app = useApp();
  const { plan, failure } = useFrom(app.plan, (state) => state);
  const unknown = useFrom(app.bundle, ({ status }) => status === 'failed');
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => (canvas.current ? mountMatrix(canvas.current, app) : undefined), [app]);
  return (
    <div className="matrix-box">
      {failure && <Note tone="warn" sentence={failure} />}
      {unknown && <Note sentence={words.matrixNever} />}
      <canvas
        ref={canvas}
        className="matrix-canvas"
        tabIndex={0}
        role="application"
        aria-roledescription={words.matrix}
        aria-label={plan ? `${scheduleWords(plan)} ${words.matrixKeys}` : words.matrix}
        hidden={!plan}
      />
    </div>
  );
}

/** The scale of the colours; a mark on it and words beside it say what the cell under the pointer is. */
function Scale() {
  const app = useApp();
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const move = () => {
      const { cell } = app.hover.getState();
      const { plan } = app.plan.getState();
      const drawn = cell !== null && plan !== null && cell.column >= plan.context;
      const level = drawn ? (plan.levels[cell.row]?.[cell.column] ?? null) : null;
      if (!mark.current) return;
      mark.current.hidden = level === null;
      if (level !== null && plan) mark.current.style.left = `${100 * (1 - level / plan.steps)}%`;
    };
    move();
    return app.hover.subscribe(move);
  }, [app]);
  const sources = useMemo(() => [app.hover, app.plan], [app]);
  const read = useCallback(() => {
    const { cell } = app.hover.getState();
    const { plan } = app.plan.getState();
    if (!plan) return '';
    return cell ? cellWords(plan, cell.row, cell.column) : scheduleWords(plan);
  }, [app]);
  const readAloud = useCallback(() => (app.hover.getState().cell?.by === 'keys' ? read() : ''), [app, read]);
  return (
    <div className="scale">
      <div className="scale-line">
        <span>{words.noise}</span>
        <span className="scale-bar">
          <Painted mount={mountScale} />
          <span className="scale-mark" ref={mark} hidden />
        </span>
        <span>{words.clean}</span>
      </div>
      <p className="scale-read">
        <LiveText sources={sources} read={read} />
      </p>
      <p className="unseen" aria-live="polite">
        <LiveText sources={sources} read={readAloud} />
      </p>
    </div>
  );
}
