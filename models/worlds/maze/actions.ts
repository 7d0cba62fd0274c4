/**
 * The exploring policy: piecewise-constant 2-D actions, as in the original data, with stops and with
 * bounces off walls. Seeded, and looking at the state only to brake and to notice a wall.
 */
import { ACTION_LIMIT, BALL_MASS, GEAR, STEP_SECONDS } from './model.ts';
import type { MazeState } from './episode.ts';

/** The action of the next environment step, both components within +-1 and exact in float32. */
export type Policy = (state: MazeState) => readonly [number, number];

/** Shares of the segments; the rest pushes in a random direction. */
const COAST_SHARE = 0.07;
const BRAKE_SHARE = 0.08;
/** Share of the pushes at full force: only these reach the velocity limit (four to five steps from rest). */
const FULL_SHARE = 0.35;
/** Shortest and longest segment in environment steps. */
const HOLD = { from: 2, to: 10 };
/** Steps that a push lasts after it has been turned back by a wall. */
const BOUNCE_HOLD = 4;
/** Share of the pushes that turn back; the others lean on the wall until their time is over. */
const BOUNCE_SHARE = 0.8;
/** Below this speed on an axis that is pushed with at least BLOCKED_ACTION, twice in a row, a wall is in the way. */
const BLOCKED_SPEED = 0.1;
/** A free ball gains 1.19 times the action per step, so 0.25 would take it past 0.1 twice over. */
const BLOCKED_ACTION = 0.25;
/** Action that takes away a velocity of 1 within one environment step. */
const BRAKE_GAIN = BALL_MASS / (GEAR * STEP_SECONDS);

interface Segment {
  readonly kind: 'push' | 'coast' | 'brake';
  readonly bounces: boolean;
  action: [number, number];
  left: number;
}

/** A policy fed by `random` (uniform in [0, 1)). Keep one per episode. */
export function explorer(random: () => number): Policy {
  let segment = draw(random);
  /** Steps in a row, per axis, in which the ball stood still although it was pushed. */
  const still = [0, 0];
  return (state) => {
    if (segment.left === 0) segment = draw(random);
    segment.left--;
    if (segment.kind === 'brake') {
      segment.action = [limited(-state[2] * BRAKE_GAIN), limited(-state[3] * BRAKE_GAIN)];
    }
    if (segment.kind === 'push') {
      for (const axis of [0, 1] as const) {
        const pushed = Math.abs(segment.action[axis]) >= BLOCKED_ACTION;
        const stands = Math.abs(state[2 + axis]) < BLOCKED_SPEED;
        still[axis] = pushed && stands ? still[axis] + 1 : 0;
        if (still[axis] < 2 || !segment.bounces) continue;
        segment.action[axis] = -segment.action[axis];
        segment.left = Math.max(segment.left, BOUNCE_HOLD);
        still[axis] = 0;
      }
    } else {
      still.fill(0);
    }
    return [segment.action[0], segment.action[1]];
  };
}

function draw(random: () => number): Segment {
  const share = random();
  const kind = share < COAST_SHARE ? 'coast' : share < COAST_SHARE + BRAKE_SHARE ? 'brake' : 'push';
  const left = HOLD.from + Math.floor(random() * (HOLD.to - HOLD.from + 1));
  const bounces = random() < BOUNCE_SHARE;
  if (kind !== 'push') return { kind, bounces, left, action: [0, 0] };
  const [x, y] = direction(random);
  // Full force presses the longer axis to the motor's limit.
  const full = random() < FULL_SHARE;
  const magnitude = full ? 1 / Math.max(Math.abs(x), Math.abs(y)) : 0.1 + 0.9 * random();
  return { kind, bounces, left, action: [limited(x * magnitude), limited(y * magnitude)] };
}

/** A unit vector of uniform direction: rejection from the square, without sine or cosine. */
function direction(random: () => number): [number, number] {
  for (;;) {
    const x = 2 * random() - 1;
    const y = 2 * random() - 1;
    const square = x * x + y * y;
    if (square > 1 || square < 1e-4) continue;
    const length = Math.sqrt(square);
    return [x / length, y / length];
  }
}

/** Rounded to float32, so that the recorded action is the one that was applied. */
function limited(value: number): number {
  return Math.fround(Math.min(Math.max(value, -ACTION_LIMIT), ACTION_LIMIT));
}
