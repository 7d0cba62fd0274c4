/** A schedule, a cell of it, and how far a run is, in sentences. */
import { activeRows } from '../stores/plan.ts';
import type { Plan } from '../stores/plan.ts';
import { words } from '../words.ts';

/** What a cell of the matrix holds. @param column frame of the window, context included. */
export function cellWords(plan: Plan, row: number, column: number): string {
  if (column < plan.context) return words.contextCell(column, plan.contextTimestep);
  const level = plan.levels[row]?.[column];
  if (level === undefined || level === null) return '';
  if (level === 0) return words.cleanCell(column, row, plan.steps);
  const bar = plan.alphaBars?.[level - 1] ?? null;
  return words.cell(column, row, level, plan.steps, plan.timesteps[level]!, bar);
}

/** The whole matrix in one or two sentences, for those who do not see it and for those who learn to read it. */
export function scheduleWords({ levels, frames, context, windows }: Plan): string {
  const rows = levels.length - 1;
  const spans = Array.from({ length: frames - context }, (_, i) => {
    const span = activeRows(levels, context + i);
    // A frame that is not kept may stop anywhere; only what becomes clean is told.
    return span && levels.at(-1)![context + i] === 0
      ? { frame: context + i, from: span[0] + 1, to: span[1] }
      : null;
  }).filter((span) => span !== null);
  const [first] = spans;
  if (!first) return '';
  const together = spans.every(({ from, to }) => from === first.from && to === first.to);
  const told = together
    ? words.framesTogether(first.frame, spans.at(-1)!.frame, first.from, first.to)
    : words.framesInTurn(spans);
  // Why a long rollout is worse than its first window.
  const seen = windows === 1 ? '' : ` ${words.windowContext(context)}`;
  return `${words.rowsOf(rows, windows)} ${told}${seen}`;
}

export interface Progress {
  readonly row: number;
  readonly rows: number;
  /** Level of every frame of the window, context first. */
  readonly levels: readonly (number | null)[];
  readonly steps: number;
  readonly context: number;
  /** Frames that earlier windows have predicted. */
  readonly before: number;
  /** Frames that the whole rollout predicts. */
  readonly total: number;
  readonly secondsLeft: number | null;
}

/** `frame 2 of 3, step 5 of 8, 0.6 s left`; frames that are denoised at once are named together. */
export function progressWords(progress: Progress): string {
  const { row, rows, levels, steps, context, before, total, secondsLeft } = progress;
  const left = secondsLeft === null ? '' : `, ${words.left(secondsLeft)}`;
  const generated = levels.slice(context, context + total - before);
  const active = generated.flatMap((level, i) => (level !== null && level > 0 && level < steps ? [i] : []));
  // Between two frames none is half-way: the next to start is the one that is worked on.
  const waiting = generated.findIndex((level) => level === null || level > 0);
  const now = active.length > 0 ? active : waiting < 0 ? [] : [waiting];
  const [first] = now;
  if (first === undefined) return `${words.rowOf(row, rows)}${left}`;
  const last = now.at(-1)!;
  if (first === last) {
    const step = Math.min(steps - (generated[first] ?? steps) + 1, steps);
    return `${words.frameAtStep(before + first + 1, total, step, steps)}${left}`;
  }
  return `${words.framesAtRow(before + first + 1, before + last + 1, total, Math.min(row + 1, rows), rows)}${left}`;
}
