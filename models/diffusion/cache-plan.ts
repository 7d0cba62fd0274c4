/**
 * What a causal model has to compute in every row when it remembers the keys and values of frames that
 * stay as they are (facts section 6). The one source of what a window costs with the `cached` graph.
 */
import { levelOf, networkTimestep } from './plan.ts';
import type { WindowPlan } from './plan.ts';

/** A frame as the network is shown it in one call. */
export interface ShownFrame {
  /** Index in the window, context first: its position. */
  readonly frame: number;
  /** Level index; null for a stabilised context in flow. */
  readonly level: number | null;
  /** Base timestep that goes with it. */
  readonly timestep: number;
}

/** The network's work for one row transition. */
export interface CachedCall {
  /** Frames to compute, rising; none when no kept frame changes: then there is nothing to call. */
  readonly compute: readonly ShownFrame[];
  /** Remembered frames that they see beside each other, rising. Never one that is computed. */
  readonly seen: readonly number[];
  /** The computed ones whose keys and values a later call sees. */
  readonly kept: readonly number[];
}

const planned = new WeakMap<WindowPlan, readonly CachedCall[]>();

/**
 * One entry for each row transition of the plan. The context, which stays at its level, is computed in
 * the first call and never again. A row computes the kept frames that change, all in one call, and with
 * them those before the last of these that are not remembered as they are now: they have come to rest
 * since. Frames behind the last one that changes, and frames that are not kept, are never computed.
 */
export function cachedCalls(plan: WindowPlan): readonly CachedCall[] {
  const before = planned.get(plan);
  if (before) return before;
  const calls = withKept(rowsOf(plan), plan.context + plan.keep);
  planned.set(plan, calls);
  return calls;
}

/** Room that a memory needs to serve `calls`: they see frames below this one only. At least 1. */
export function memorySlots(calls: readonly CachedCall[]): number {
  return calls.reduce((most, { seen }) => Math.max(most, (seen.at(-1) ?? 0) + 1), 1);
}

type Row = Pick<CachedCall, 'compute' | 'seen'>;
const NOTHING: Row = { compute: [], seen: [] };

function rowsOf(plan: WindowPlan): Row[] {
  const { matrix, rows, keep, context } = plan;
  const out: Row[] = [];
  // A frame's keys hold what all frames before it were, so one that changes makes all behind it stale:
  // what is remembered is always a beginning of the window, the frames below this one.
  let remembered = 0;
  let seen: readonly number[] = [];
  for (let row = 0; row < rows; row++) {
    const changes = (frame: number) =>
      frame >= context && matrix[row + 1][frame - context] !== matrix[row][frame - context];
    let last = context + keep - 1;
    while (last >= context && !changes(last)) last--;
    if (last < context) {
      out.push(NOTHING);
      continue;
    }
    const compute: number[] = [];
    const see: number[] = [];
    for (let frame = 0; frame <= last; frame++) {
      (frame < remembered && !changes(frame) ? see : compute).push(frame);
    }
    // Of the tens of thousands of rows of a long schedule most see what the one before saw: one list for all.
    if (!sameFrames(see, seen)) seen = see;
    out.push({ compute: compute.map((frame) => shown(plan, row, frame)), seen });
    remembered = compute.find(changes)!;
  }
  return out;
}

function shown(plan: WindowPlan, row: number, frame: number): ShownFrame {
  return { frame, level: levelOf(plan, row, frame), timestep: networkTimestep(plan, row, frame) };
}

function sameFrames(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((frame, i) => frame === b[i]);
}

/** From the last row to the first: what is seen later is kept by the call that computed it last before. */
function withKept(rows: readonly Row[], frames: number): CachedCall[] {
  const wanted = new Array<boolean>(frames).fill(false);
  const calls: CachedCall[] = [];
  for (const row of rows.toReversed()) {
    const kept = row.compute.map(({ frame }) => frame).filter((frame) => wanted[frame]);
    for (const frame of kept) wanted[frame] = false;
    for (const frame of row.seen) wanted[frame] = true;
    calls.push({ ...row, kept });
  }
  return calls.reverse();
}
