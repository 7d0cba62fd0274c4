/**
 * The maze from above, as pixels: the same bytes in Node and in the page, because only exactly
 * rounded arithmetic (+ - * / sqrt) goes into them.
 *
 * The view is the smallest square around the map, centred on it; the world's x runs to the right and
 * y upwards. Every cell's ground is one square of the checker floor; a wall fills its cell. Each
 * pixel is the average colour of the square it covers, so the picture changes smoothly as the ball
 * moves by less than a pixel.
 */
import { invalid } from '../../errors.ts';
import { BALL_ORIGIN, DRAWN_RADIUS } from './maps.ts';
import type { MazeMap } from './maps.ts';

type Colour = readonly [number, number, number];
/** Published colours, 0 to 1 (facts/worlds.md section 1). */
export const FLOOR_A: Colour = [0.2, 0.3, 0.4];
export const FLOOR_B: Colour = [0.1, 0.2, 0.3];
export const WALL: Colour = [0.7, 0.5, 0.3];
export const BALL: Colour = [0.3, 0.6, 0.3];

/** Chords per pixel and direction in the coverage of the ball's rim. */
const CHORDS = 16;

/** Where the map lies in a frame of `size` pixels. */
export interface View {
  readonly size: number;
  /** Pixels per world unit. */
  readonly scale: number;
  /** World position of the frame's left and top edges. */
  readonly left: number;
  readonly top: number;
}

export interface MazeRenderer {
  readonly view: View;
  /** The picture without a ball, [S, S, 3], 0 to 255, not rounded. */
  readonly background: Float64Array;
  /** Draws the ball at qpos (x, y) into `into` (uint8 [S, S, 3], made when absent), and returns it. */
  draw(x: number, y: number, into?: Uint8Array): Uint8Array;
}

const KEPT = 8;
const kept = new Map<string, MazeRenderer>();

/**
 * The renderer of `map` at `size` x `size` pixels. The last few are kept, so a frame costs the ball only.
 * @throws invalid size: not a whole number from 16 to 1024
 */
export function mazeRenderer(map: MazeMap, size: number): MazeRenderer {
  const view = mazeView(map, size);
  const key = `${map.name} ${size}`;
  const known = kept.get(key);
  if (known) return known;
  const background = drawBackground(map, view);
  const plain = round(background);
  const renderer: MazeRenderer = {
    view,
    background,
    draw(x, y, into = new Uint8Array(plain.length)) {
      into.set(plain);
      drawBall(into, background, view, x, y);
      return into;
    },
  };
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
  kept.set(key, renderer);
  return renderer;
}

/** @throws invalid size */
export function mazeView(map: MazeMap, size: number): View {
  if (!Number.isInteger(size) || size < 16 || size > 1024) {
    throw invalid('frame size', size, 'give a whole number of pixels from 16 to 1024');
  }
  const side = Math.max(map.width, map.height); // world units
  const left = 0.5 + (map.width - side) / 2;
  const top = 0.5 + (map.height + side) / 2;
  return { size, scale: size / side, left, top };
}

/** Each pixel's colour is the mean of the cells it covers, weighted by area. */
function drawBackground(map: MazeMap, view: View): Float64Array {
  const { size, scale, left, top } = view;
  const pixels = new Float64Array(size * size * 3); // [S, S, 3]
  const step = 1 / scale;
  for (let row = 0; row < size; row++) {
    const columnsOfCells = overlaps(top - (row + 1) * step, top - row * step);
    for (let column = 0; column < size; column++) {
      const at = (row * size + column) * 3;
      for (const x of overlaps(left + column * step, left + (column + 1) * step)) {
        for (const y of columnsOfCells) {
          const colour = cellColour(map, x.cell, y.cell);
          const area = x.share * y.share;
          for (let c = 0; c < 3; c++) pixels[at + c] += 255 * area * colour[c];
        }
      }
    }
  }
  return pixels;
}

/** Cells (unit intervals around whole numbers, cell i around i + 1) that [from, to] covers, with its share in each. */
function overlaps(from: number, to: number): { cell: number; share: number }[] {
  const parts = [];
  for (let cell = Math.floor(from - 0.5); cell + 0.5 < to; cell++) {
    const length = Math.min(to, cell + 1.5) - Math.max(from, cell + 0.5);
    if (length > 0) parts.push({ cell, share: length / (to - from) });
  }
  return parts;
}

function cellColour(map: MazeMap, w: number, h: number): Colour {
  if (map.isWall(w, h)) return WALL;
  return (w + h) % 2 === 0 ? FLOOR_A : FLOOR_B;
}

function drawBall(into: Uint8Array, background: Float64Array, view: View, x: number, y: number): void {
  const { size, scale } = view;
  const radius = DRAWN_RADIUS * scale;
  const centreX = (x + BALL_ORIGIN - view.left) * scale; // pixels from the left
  const centreY = (view.top - y - BALL_ORIGIN) * scale; // pixels from the top
  const x0 = Math.max(0, Math.floor(centreX - radius));
  const x1 = Math.min(size, Math.ceil(centreX + radius));
  const y0 = Math.max(0, Math.floor(centreY - radius));
  const y1 = Math.min(size, Math.ceil(centreY + radius));
  for (let row = y0; row < y1; row++) {
    for (let column = x0; column < x1; column++) {
      const covered = coverage(column - centreX, row - centreY, radius);
      if (covered === 0) continue;
      const at = (row * size + column) * 3;
      for (let c = 0; c < 3; c++) {
        const behind = background[at + c];
        into[at + c] = Math.floor(behind + covered * (255 * BALL[c] - behind) + 0.5);
      }
    }
  }
}

/**
 * Share of the unit pixel whose corner nearest the origin's top left is (left, top) that lies in the
 * disc of `radius` around the origin. Pixels across the rim: chords in x and in y, each exact in its
 * own direction, averaged so that neither direction is special.
 */
export function coverage(left: number, top: number, radius: number): number {
  const right = left + 1;
  const bottom = top + 1;
  const nearX = left > 0 ? left : right < 0 ? right : 0;
  const nearY = top > 0 ? top : bottom < 0 ? bottom : 0;
  if (nearX * nearX + nearY * nearY >= radius * radius) return 0;
  const farX = -left > right ? left : right;
  const farY = -top > bottom ? top : bottom;
  if (farX * farX + farY * farY <= radius * radius) return 1;
  return (chords(left, top, radius) + chords(top, left, radius)) / 2;
}

/** Mean over CHORDS lines, spread over [across, across + 1], of the chord's length within [along, along + 1]. */
function chords(along: number, across: number, radius: number): number {
  let sum = 0;
  for (let i = 0; i < CHORDS; i++) {
    const distance = across + (i + 0.5) / CHORDS;
    const square = radius * radius - distance * distance;
    if (square <= 0) continue;
    const half = Math.sqrt(square);
    const length = Math.min(along + 1, half) - Math.max(along, -half);
    if (length > 0) sum += length;
  }
  return sum / CHORDS;
}

function round(pixels: Float64Array): Uint8Array {
  return Uint8Array.from(pixels, (value) => Math.floor(value + 0.5));
}

/** Pictures of `states` [T, 4], one after the other: uint8 [T, S, S, 3]. @throws invalid size */
export function drawStates(map: MazeMap, size: number, states: Float64Array): Uint8Array {
  const renderer = mazeRenderer(map, size);
  const bytes = size * size * 3;
  const frames = new Uint8Array((states.length / 4) * bytes);
  for (let t = 0; t < states.length / 4; t++) {
    renderer.draw(states[t * 4], states[t * 4 + 1], frames.subarray(t * bytes, (t + 1) * bytes));
  }
  return frames;
}
