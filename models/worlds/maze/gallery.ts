/** Which episodes are worth showing: twelve kinds of thing that can happen to the ball, each with a title. */
import { missing } from '../../errors.ts';
import { ACTION_WIDTH, FRAME_INTERVAL } from './episode.ts';
import type { Episode, MazeSimulator, MazeState } from './episode.ts';
import { isClear, mazeMap } from './maps.ts';
import type { MazeMap } from './maps.ts';

/** An episode at every environment step, up to its last frame. */
export interface Trace {
  readonly map: MazeMap;
  readonly states: readonly MazeState[];
  /** actions[t] leads from states[t] to states[t + 1]. */
  readonly actions: readonly (readonly [number, number])[];
}

export interface Kind {
  readonly title: string;
  holds(trace: Trace): boolean;
}

/** The physical sphere (radius 0.1) is at a wall when its surface is within 0.03 of it. */
const TOUCH = 0.13;
/** The drawn ball (radius 0.2) is in the open when its rim keeps 0.05 from every wall. */
const OPEN = 0.25;

export const KINDS: readonly Kind[] = [
  { title: 'Round a corner, to the right', holds: (t) => hidden(t) && span(t, 0) > 0.5 },
  { title: 'Round a corner, to the left', holds: (t) => hidden(t) && span(t, 0) < -0.5 },
  { title: 'Bounces off a wall at its side', holds: (t) => bounces(t, 0) },
  { title: 'Bounces off a wall above or below', holds: (t) => bounces(t, 1) },
  {
    title: 'Runs into a wall and is held there',
    holds: (t) => peak(t) > 2 && speed(last(t)) < 0.15 && walls(t, last(t)) === 1,
  },
  {
    title: 'Ends in the corner of two walls',
    holds: (t) => peak(t) > 2 && walls(t, last(t)) === 2 && walls(t, t.states[0]) === 0,
  },
  { title: 'Stops in the open', holds: (t) => free(t) && peak(t) > 1.5 && speed(last(t)) < 0.15 },
  { title: 'Turns back without touching a wall', holds: (t) => free(t) && turns(t, -1, -0.8, 0.25) },
  { title: 'Turns by a right angle in the open', holds: (t) => free(t) && turns(t, -0.3, 0.3, 0.35) },
  { title: 'A long straight run', holds: (t) => free(t) && length(t) > 1.6 && !turns(t, -1, 0.97, 0.05) },
  { title: 'Coasts without a push', holds: (t) => free(t) && coasts(t) >= 5 },
  { title: 'A gentle drift', holds: (t) => free(t) && peak(t) < 0.7 && length(t) > 0.1 },
];

/** `episode` again, step by step, on `simulator`. */
export function traceEpisode(simulator: MazeSimulator, episode: Episode): Trace {
  const frames = episode.states.length / 4;
  const [x, y, vx, vy] = episode.states;
  simulator.reset([x, y, vx, vy]);
  const states = [simulator.state()];
  const actions: [number, number][] = [];
  for (let step = 0; step < (frames - 1) * FRAME_INTERVAL; step++) {
    const at = Math.floor(step / FRAME_INTERVAL) * ACTION_WIDTH + 2 * (step % FRAME_INTERVAL);
    const action: [number, number] = [episode.actions[at], episode.actions[at + 1]];
    simulator.step(action[0], action[1]);
    actions.push(action);
    states.push(simulator.state());
  }
  return { map: mazeMap(episode.map), states, actions };
}

/**
 * For each kind the first episode number from 0 that shows it and is not taken yet.
 * @param trace of episode number `index`
 * @throws missing episode: none within `limit` shows a kind
 */
export function pickEpisodes(
  trace: (index: number) => Trace,
  limit = 20000,
): { readonly title: string; readonly index: number }[] {
  const found = new Map<Kind, number>();
  for (let index = 0; index < limit && found.size < KINDS.length; index++) {
    const candidate = trace(index);
    const kind = KINDS.find((k) => !found.has(k) && k.holds(candidate));
    if (kind) found.set(kind, index);
  }
  return KINDS.map((kind) => {
    const index = found.get(kind);
    if (index === undefined) throw missing('episode', kind.title, 'take more frames or another map');
    return { title: kind.title, index };
  });
}

function last({ states }: Trace): MazeState {
  return states[states.length - 1];
}

function speed(state: MazeState): number {
  return Math.hypot(state[2], state[3]);
}

function peak({ states }: Trace): number {
  return Math.max(...states.map(speed));
}

/** Distance from start to end along one axis, with sign. */
function span(trace: Trace, axis: number): number {
  return last(trace)[axis] - trace.states[0][axis];
}

function length(trace: Trace): number {
  return Math.hypot(span(trace, 0), span(trace, 1));
}

/** On how many axes a wall is within `reach` of the ball's middle. */
function walls({ map }: Trace, [x, y]: MazeState, reach = TOUCH): number {
  const alongX = !isClear(map, x + reach, y, 0) || !isClear(map, x - reach, y, 0);
  const alongY = !isClear(map, x, y + reach, 0) || !isClear(map, x, y - reach, 0);
  return Number(alongX) + Number(alongY);
}

function free(trace: Trace): boolean {
  return trace.states.every((state) => walls(trace, state, OPEN) === 0);
}

/** A wall stands between start and end. */
function hidden(trace: Trace): boolean {
  const [x, y] = trace.states[0];
  for (let i = 1; i < 50; i++) {
    if (!isClear(trace.map, x + (span(trace, 0) * i) / 50, y + (span(trace, 1) * i) / 50, 0)) return true;
  }
  return false;
}

/** Ways from each frame to the next. */
function ways({ states }: Trace): [number, number][] {
  const frames = states.filter((_, step) => step % FRAME_INTERVAL === 0);
  return frames.slice(1).map((state, i) => [state[0] - frames[i][0], state[1] - frames[i][1]]);
}

/** Two ways in a row, both at least `least` long, with the cosine of their angle in [from, to]. */
function turns(trace: Trace, from: number, to: number, least: number): boolean {
  const all = ways(trace);
  return all.slice(1).some(([x, y], i) => {
    const [length0, length1] = [Math.hypot(...all[i]), Math.hypot(x, y)];
    if (Math.min(length0, length1) < least) return false;
    const cosine = (x * all[i][0] + y * all[i][1]) / (length0 * length1);
    return cosine >= from && cosine <= to;
  });
}

/** Goes to a wall on `axis` and visibly away from it again, without any other wall. */
function bounces(trace: Trace, axis: number): boolean {
  const touched = trace.states.some((state) => {
    const [x, y] = axis === 0 ? [state[0], state[1] + TOUCH] : [state[0] + TOUCH, state[1]];
    const [x2, y2] = axis === 0 ? [state[0], state[1] - TOUCH] : [state[0] - TOUCH, state[1]];
    const other = !isClear(trace.map, x, y, 0) || !isClear(trace.map, x2, y2, 0);
    return walls(trace, state) - Number(other) === 1;
  });
  const all = ways(trace).map((way) => way[axis]);
  const away = all
    .slice(1)
    .some((way, i) => way * all[i] < 0 && Math.min(Math.abs(way), Math.abs(all[i])) > 0.25);
  const ends = [trace.states[0], last(trace)].every((state) => walls(trace, state, OPEN) === 0);
  return touched && away && ends;
}

/** Most steps in a row without any push, at a speed that shows. */
function coasts({ states, actions }: Trace): number {
  let [most, run] = [0, 0];
  actions.forEach(([x, y], t) => {
    run = x === 0 && y === 0 && speed(states[t]) > 1 ? run + 1 : 0;
    most = Math.max(most, run);
  });
  return most;
}
