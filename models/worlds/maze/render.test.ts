import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BALL_ORIGIN, DRAWN_RADIUS, mazeMap } from './maps.ts';
import type { MazeMap } from './maps.ts';
import { BALL, FLOOR_A, FLOOR_B, WALL, coverage, drawStates, mazeRenderer, mazeView } from './render.ts';

const umaze = mazeMap('umaze');

describe('maze renderer', () => {
  it.each([
    ['umaze', 16, 1.33, 2.87],
    ['umaze', 20, 0.41, 0.52],
    ['open', 24, 2.017, 3.3],
    ['large', 32, 4.5, 5.25],
  ] as const)(
    'draws %s at %i pixels as a ball laid over a map, both by 40 x 40 samples a pixel',
    (name, size, x, y) => {
      const map = mazeMap(name);
      const expected = supersampled(map, size, x, y, 40);
      const drawn = mazeRenderer(map, size).draw(x, y);
      // Forty samples place each of two edges to 1/80 pixel, of at most 128 levels; rounding adds a half.
      expect(drawn).toBeCloseTensor(expected, { absolute: 3 });
    },
  );

  it('covers, summed over the pixels, the area of the disc wherever its centre is', () => {
    for (const radius of [1.1, 2.56, 3.84, 8.96]) {
      for (let i = 0; i < 20; i++) {
        const [cx, cy] = [20 + i / 20, 20 + ((i * 7) % 20) / 20];
        let sum = 0;
        for (let row = 0; row < 40; row++) {
          for (let column = 0; column < 40; column++) sum += coverage(column - cx, row - cy, radius);
        }
        expect(Math.abs(sum - Math.PI * radius * radius)).toBeLessThan(0.05);
      }
    }
  });

  it('covers the same under reflection and exchange of axes', () => {
    for (const [left, top] of [
      [1.7, -2.3],
      [-0.4, 2.1],
      [2, 0.25],
      [-2.9, -1.1],
    ]) {
      const here = coverage(left, top, 2.56);
      expect(coverage(top, left, 2.56)).toBeCloseTo(here, 12);
      expect(coverage(-left - 1, top, 2.56)).toBeCloseTo(here, 12);
      expect(coverage(left, -top - 1, 2.56)).toBeCloseTo(here, 12);
    }
  });

  it('changes a little when the ball moves a little: no pixel jumps', () => {
    const renderer = mazeRenderer(umaze, 64);
    let before = renderer.draw(0.9, 2.8);
    for (let i = 1; i <= 400; i++) {
      const after = renderer.draw(0.9 + i * 0.001, 2.8 + i * 0.0003); // 0.013 pixels a step
      const most = after.reduce((worst, value, at) => Math.max(worst, Math.abs(value - before[at])), 0);
      expect(most).toBeLessThanOrEqual(4);
      before = after;
    }
  });

  it('shows a move of a hundredth of a pixel at 64 pixels somewhere', () => {
    const renderer = mazeRenderer(umaze, 64);
    expect(renderer.draw(1, 2.8)).not.toEqual(renderer.draw(1.001, 2.8));
  });

  it('puts x to the right and y upwards, in the published colours', () => {
    const size = 250; // 50 pixels a cell
    const frame = mazeRenderer(umaze, size).draw(0.8, 0.8); // world (2, 2): the middle of cell (1, 1)
    const at = (cellX: number, cellY: number): number[] => {
      const pixel = Math.floor((5 - cellY - 0.5) * 50) * size + Math.floor((cellX + 0.5) * 50);
      return [...frame.subarray(pixel * 3, pixel * 3 + 3)];
    };
    const bytes = (colour: readonly number[]): number[] => colour.map((v) => Math.floor(v * 255 + 0.5));
    expect(at(1, 1)).toEqual(bytes(BALL));
    expect(at(3, 3)).toEqual(bytes(FLOOR_A));
    expect(at(1, 2)).toEqual(bytes(FLOOR_B));
    expect(at(2, 1)).toEqual(bytes(WALL)); // the inner wall
    expect(at(2, 3)).toEqual(bytes(FLOOR_B)); // the passage above it
  });

  it('fits the whole map in the square, centred', () => {
    expect(mazeView(umaze, 100)).toEqual({ size: 100, scale: 20, left: 0.5, top: 5.5 });
    // 9 x 12 cells: one and a half cells of floor left and right.
    expect(mazeView(mazeMap('large'), 120)).toEqual({ size: 120, scale: 10, left: -1, top: 12.5 });
  });

  it('draws the bytes that the embedded weights were trained on', () => {
    const frames = drawStates(umaze, 64, Float64Array.of(1.25, 2.8125, 0, 0, 0.5, 0.78125, 0, 0));
    expect(frames.length).toBe(2 * 64 * 64 * 3);
    expect(createHash('sha256').update(frames).digest('hex')).toBe(
      '690db4c4b97bd5da0e5ff2ab9534bf4a687410c03bc1257a6c7ca2c45c93e48a',
    );
  });

  it('draws a ball half outside the picture without touching other rows', () => {
    const renderer = mazeRenderer(umaze, 64);
    const frame = renderer.draw(4.3, 1); // the middle on the right edge
    const background = Uint8Array.from(renderer.background, (v) => Math.floor(v + 0.5));
    const changed = [...frame.keys()].filter((at) => frame[at] !== background[at]);
    expect(changed.length).toBeGreaterThan(0);
    for (const at of changed) expect(Math.floor(at / 3) % 64).toBeGreaterThan(60);
  });

  it.each([0, 15, 1025, 64.5, NaN, -64])('refuses the size %d', (size) => {
    expect(() => mazeRenderer(umaze, size)).toThrow(/^invalid frame size: .*16 to 1024$/);
  });
});

/** The picture by points, n x n in every pixel. Shares no code with the renderer. */
function supersampled(map: MazeMap, size: number, x: number, y: number, n: number): Float64Array {
  const side = Math.max(map.width, map.height);
  const ground = new Float64Array(size * size * 3);
  const ball = new Float64Array(size * size);
  for (let i = 0; i < size * n; i++) {
    for (let j = 0; j < size * n; j++) {
      const worldX = 0.5 + map.width / 2 + ((j + 0.5) / (size * n) - 0.5) * side;
      const worldY = 0.5 + map.height / 2 - ((i + 0.5) / (size * n) - 0.5) * side;
      const [w, h] = [Math.round(worldX) - 1, Math.round(worldY) - 1];
      const colour = map.isWall(w, h) ? WALL : Math.abs(w + h) % 2 === 0 ? FLOOR_A : FLOOR_B;
      const pixel = Math.floor(i / n) * size + Math.floor(j / n);
      for (let c = 0; c < 3; c++) ground[pixel * 3 + c] += (colour[c] * 255) / (n * n);
      if (Math.hypot(worldX - x - BALL_ORIGIN, worldY - y - BALL_ORIGIN) < DRAWN_RADIUS)
        ball[pixel] += 1 / (n * n);
    }
  }
  return ground.map((value, at) => value + ball[Math.floor(at / 3)] * (255 * BALL[at % 3] - value));
}
