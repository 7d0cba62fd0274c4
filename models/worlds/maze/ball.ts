/**
 * Finds the ball in a picture of the maze, to a fraction of a pixel: the measure of how far a
 * predicted frame is from the truth in maze units.
 *
 * A pixel is a mixture of the known background b and the ball's colour f. Its weight, the share of
 * ball that explains its colour best, is (c - b).(f - b) / |f - b|^2. The centre is the centroid of
 * the weights in a disc around it, so that noise far away has no say.
 */
import { invalid } from '../../errors.ts';
import { BALL_ORIGIN, DRAWN_RADIUS } from './maps.ts';
import type { MazeMap } from './maps.ts';
import { BALL, mazeRenderer } from './render.ts';

export interface BallPosition {
  /** qpos of the ball, as in a maze state. */
  readonly x: number;
  readonly y: number;
  /** Weight found over the area of the drawn ball: about 1 when the picture is sharp and clean. */
  readonly mass: number;
}

/** The values that stand for black and white; [-1, 1] is what the codec's `decode` gives. */
export type PixelRange = readonly [black: number, white: number];

/** Less than this share of a ball's area is no ball. */
const LEAST_MASS = 0.5;
/** Pixels that the disc of the centroid reaches past the ball's rim, so that a blurred rim counts. */
const MARGIN = 2;
/** The disc follows its own centroid; it settles in three rounds, the rest is cheap. */
const ROUNDS = 8;
/** Weights beyond these say more about a wrong colour than about the ball. */
const WEIGHT_RANGE = [-0.25, 1.25] as const;

/**
 * Centre of the ball in `frame` [S, S, 3], or null when there is none.
 *
 * @param range of the values; by default [0, 255] for bytes and [-1, 1] for floats
 * @throws invalid frame size (16 to 1024), invalid frame length
 */
export function findBall(
  frame: Uint8Array | Float32Array,
  map: MazeMap,
  size: number,
  range: PixelRange = frame instanceof Uint8Array ? [0, 255] : [-1, 1],
): BallPosition | null {
  const { view, background } = mazeRenderer(map, size);
  if (frame.length !== size * size * 3) {
    throw invalid('frame length', frame.length, `give ${size} x ${size} x 3 values`);
  }
  const weights = ballWeights(frame, background, range); // [S, S]
  const radius = DRAWN_RADIUS * view.scale; // pixels
  const [startX, startY] = fullestSquare(weights, size, Math.max(1, Math.round(2 * radius)));
  let [x, y, mass] = [startX, startY, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const moved = centroid(weights, size, x, y, radius + MARGIN);
    if (moved === null) return null;
    [x, y, mass] = moved;
  }
  const share = mass / (Math.PI * radius * radius);
  if (share < LEAST_MASS) return null;
  return {
    x: view.left + x / view.scale - BALL_ORIGIN,
    y: view.top - y / view.scale - BALL_ORIGIN,
    mass: share,
  };
}

/** Share of ball in every pixel, [S, S]. NaN counts as no ball. */
function ballWeights(
  frame: Uint8Array | Float32Array,
  background: Float64Array,
  [black, white]: PixelRange,
): Float64Array {
  const scale = 255 / (white - black);
  const weights = new Float64Array(frame.length / 3);
  for (let pixel = 0; pixel < weights.length; pixel++) {
    let along = 0;
    let square = 0;
    for (let c = 0; c < 3; c++) {
      const behind = background[pixel * 3 + c];
      const towards = 255 * BALL[c] - behind;
      along += ((frame[pixel * 3 + c] - black) * scale - behind) * towards;
      square += towards * towards;
    }
    const weight = along / square; // No background colour is the ball's, so square > 0.
    weights[pixel] = Number.isNaN(weight) ? 0 : Math.min(Math.max(weight, WEIGHT_RANGE[0]), WEIGHT_RANGE[1]);
  }
  return weights;
}

/** Centre, in pixels, of the `side` x `side` square with the largest sum of weights. */
function fullestSquare(weights: Float64Array, size: number, side: number): [number, number] {
  const stride = size + 1;
  const sums = new Float64Array(stride * stride); // sums[r, c]: weights above row r and left of column c
  for (let row = 0; row < size; row++) {
    let line = 0;
    for (let column = 0; column < size; column++) {
      line += weights[row * size + column];
      sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1] + line;
    }
  }
  let best = -Infinity;
  let [x, y] = [0, 0];
  for (let row = 0; row + side <= size; row++) {
    for (let column = 0; column + side <= size; column++) {
      const low = (row + side) * stride + column;
      const high = row * stride + column;
      const sum = sums[low + side] - sums[low] - sums[high + side] + sums[high];
      if (sum <= best) continue;
      best = sum;
      [x, y] = [column + side / 2, row + side / 2];
    }
  }
  return [x, y];
}

/** Weighted centre and total weight of the pixels whose middle is within `reach` of (x, y); null without weight. */
function centroid(
  weights: Float64Array,
  size: number,
  x: number,
  y: number,
  reach: number,
): [x: number, y: number, mass: number] | null {
  let [mass, sumX, sumY] = [0, 0, 0];
  for (let row = Math.max(0, Math.floor(y - reach)); row < Math.min(size, y + reach); row++) {
    for (let column = Math.max(0, Math.floor(x - reach)); column < Math.min(size, x + reach); column++) {
      const [dx, dy] = [column + 0.5 - x, row + 0.5 - y];
      if (dx * dx + dy * dy > reach * reach) continue;
      const weight = weights[row * size + column];
      mass += weight;
      sumX += weight * (column + 0.5);
      sumY += weight * (row + 0.5);
    }
  }
  return mass > 0 ? [sumX / mass, sumY / mass, mass] : null;
}
