/** Mounts the scheduling matrix: the plan before a run, the run's rows while it goes and after it. */
import type { CursorStore } from '../stores/cursor.ts';
import type { HoverStore } from '../stores/hover.ts';
import { isBusy } from '../stores/live.ts';
import type { LiveStore } from '../stores/live.ts';
import type { PlanStore } from '../stores/plan.ts';
import type { ThemeStore } from '../stores/theme.ts';
import { attach } from './attach.ts';
import { readInks } from './inks.ts';
import { cellAfterKey, cellAt, matrixEdges } from './matrix-geometry.ts';
import type { MatrixEdges } from './matrix-geometry.ts';
import { paintMatrix } from './paint-matrix.ts';

export interface MatrixStores {
  readonly plan: PlanStore;
  readonly live: LiveStore;
  readonly hover: HoverStore;
  readonly theme: ThemeStore;
  readonly cursor: CursorStore;
  /** Rows that the shown result has computed of this very schedule: all of them, or null when it is another one. */
  readonly reachedRows: () => number | null;
  /** Stores that `reachedRows` reads. */
  readonly runs: { subscribe(listener: () => void): () => void };
}

/** CSS pixels left of the cells for row numbers, and right of them for ticks; styles/matrix.css has the same. */
export const GUTTERS = { left: 32, right: 20 } as const;

export function mountMatrix(canvas: HTMLCanvasElement, stores: MatrixStores): () => void {
  const { plan, live, hover, cursor, theme } = stores;
  let edges: MatrixEdges = { x: [], y: [] };
  let inks = readInks();
  /** Frames before the window that is on show. */
  let offset = 0;

  const paint = () => {
    const now = plan.getState().plan;
    const density = window.devicePixelRatio;
    const width = Math.round(canvas.clientWidth * density);
    const height = Math.round(canvas.clientHeight * density);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    if (!now || width === 0 || height === 0) return;
    const state = live.getState();
    const running = isBusy(state);
    const left = Math.round(GUTTERS.left * density);
    const right = Math.round(GUTTERS.right * density);
    // The strip above has a column for every frame; the matrix stands under those of its window.
    const columns = Math.max(now.frames, cursor.store.getState().count);
    const all = matrixEdges({ rows: now.levels.length, columns }, width - left - right, height);
    offset = running ? state.window * now.keep : 0;
    edges = { x: all.x.slice(offset, offset + now.frames + 1), y: all.y };
    paintMatrix(
      canvas,
      {
        levels: now.levels,
        steps: now.steps,
        context: now.context,
        reached: running ? state.row : stores.reachedRows(),
        running,
        hovered: hover.getState().cell,
      },
      edges,
      { left, right },
      inks,
      density,
    );
  };

  const point = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    const density = window.devicePixelRatio;
    const cell = cellAt(
      edges,
      (event.clientX - box.left - GUTTERS.left) * density,
      (event.clientY - box.top) * density,
    );
    hover.setState({ cell: cell && { ...cell, by: 'pointer' } });
  };
  const leave = (event: Event) => {
    // A finger that is lifted leaves its cell to be read; a tap elsewhere takes the focus and ends that.
    if (event instanceof PointerEvent && event.pointerType !== 'mouse') return;
    hover.setState({ cell: null });
  };
  const key = (event: KeyboardEvent) => {
    const now = plan.getState().plan;
    if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
    const from = hover.getState().cell ?? { row: 0, column: now.context };
    const shape = { rows: now.levels.length, columns: now.frames };
    const cell = cellAfterKey(event.key, from, shape);
    if (!cell) return;
    event.preventDefault();
    event.stopPropagation();
    hover.setState({ cell: { ...cell, by: 'keys' } });
  };
  const press = () => {
    const cell = hover.getState().cell;
    if (cell) cursor.go(cell.column + offset);
  };
  const recolour = () => {
    inks = readInks();
  };

  canvas.addEventListener('pointermove', point);
  canvas.addEventListener('pointerdown', point);
  canvas.addEventListener('pointerleave', leave);
  canvas.addEventListener('blur', leave);
  canvas.addEventListener('keydown', key);
  canvas.addEventListener('click', press);
  const stopColours = theme.subscribe(recolour);
  const stop = attach(paint, [plan, live, hover, theme, cursor.store, stores.runs as never], canvas);
  return () => {
    stop();
    stopColours();
    canvas.removeEventListener('pointermove', point);
    canvas.removeEventListener('pointerdown', point);
    canvas.removeEventListener('pointerleave', leave);
    canvas.removeEventListener('blur', leave);
    canvas.removeEventListener('keydown', key);
    canvas.removeEventListener('click', press);
  };
}
