import { describe, expect, it } from 'vitest';
import { seededNormals, seededRandom } from '../../array/random.ts';
import { findBall } from './ball.ts';
import { isClear, mazeMap } from './maps.ts';
import { mazeRenderer } from './render.ts';

const map = mazeMap('umaze');
/** Standard deviation of noise at 42 dB, in bytes: 255 * 10^(-42 / 20). */
const NOISE = 2.026;

/** Places of the physical ball, leaning on walls included. */
function places(count: number): [number, number][] {
  const random = seededRandom(11);
  const found: [number, number][] = [];
  while (found.length < count) {
    const [x, y] = [random() * 3.2 + 0.2, random() * 3.2 + 0.2];
    if (isClear(map, x, y, 0.1)) found.push([x, y]);
  }
  return found;
}

const normals = seededNormals(5)(200_000);

/** In [-1, 1], as the codec gives it, with noise of `deviation` bytes; `seed` shifts the noise. */
function decoded(frame: Uint8Array, deviation: number, seed: number): Float32Array {
  const noise = (i: number): number => normals[(i + seed * 7919) % normals.length];
  return Float32Array.from(frame, (value, i) => (value + deviation * noise(i)) / 127.5 - 1);
}

describe('finding the ball', () => {
  it.each([64, 96, 128])('is right to 0.01 maze units at %i pixels, with noise of 42 dB too', (size) => {
    places(40).forEach(([x, y], i) => {
      const frame = mazeRenderer(map, size).draw(x, y);
      for (const picture of [frame, decoded(frame, 0, 0), decoded(frame, NOISE, i)]) {
        const found = findBall(picture, map, size);
        expect(found).not.toBeNull();
        expect(Math.hypot(found!.x - x, found!.y - y)).toBeLessThan(0.01);
        expect(Math.abs(found!.mass - 1)).toBeLessThan(0.1);
      }
    });
  });

  it('is right to 0.03 on a ball blurred by a 3 x 3 mean, as a small codec may blur it', () => {
    const { background, draw } = mazeRenderer(map, 64);
    for (const [x, y] of places(50)) {
      const ball = Float32Array.from(draw(x, y), (value, i) => value - background[i]);
      const blurred = blur(ball, 64).map((value, i) => (value + background[i]) / 127.5 - 1);
      const found = findBall(blurred, map, 64);
      expect(Math.hypot(found!.x - x, found!.y - y)).toBeLessThan(0.03);
    }
  });

  it('reads any range of values that it is told of', () => {
    const frame = mazeRenderer(map, 64).draw(0.9, 1.7);
    const unit = Float32Array.from(frame, (value) => value / 255);
    const [a, b] = [findBall(frame, map, 64)!, findBall(unit, map, 64, [0, 1])!];
    expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeLessThan(1e-6);
  });

  it.each([64, 96, 128])('says null where there is none at %i pixels, with noise of 42 dB too', (size) => {
    const { background } = mazeRenderer(map, size);
    const empty = Uint8Array.from(background, (value) => Math.floor(value + 0.5));
    expect(findBall(empty, map, size)).toBeNull();
    for (let seed = 0; seed < 10; seed++) expect(findBall(decoded(empty, NOISE, seed), map, size)).toBeNull();
    expect(findBall(new Float32Array(size * size * 3).fill(NaN), map, size)).toBeNull();
  });

  it('says null for a ball that has faded to a third', () => {
    const renderer = mazeRenderer(map, 64);
    const frame = renderer.draw(1.8, 2.8);
    const faded = Float32Array.from(frame, (value, i) => {
      return (renderer.background[i] + (value - renderer.background[i]) / 3) / 127.5 - 1;
    });
    expect(findBall(faded, map, 64)).toBeNull();
  });

  it('refuses a picture of another size', () => {
    expect(() => findBall(new Uint8Array(100), map, 64)).toThrow(
      /^invalid frame length: 100; give 64 x 64 x 3/,
    );
    expect(() => findBall(new Uint8Array(100), map, 8)).toThrow(/^invalid frame size: 8/);
  });
});

function blur(frame: Float32Array, size: number): Float32Array {
  const out = new Float32Array(frame.length);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let i = -1; i <= 1; i++) {
          for (let j = -1; j <= 1; j++) {
            const [r, k] = [
              Math.min(Math.max(row + i, 0), size - 1),
              Math.min(Math.max(column + j, 0), size - 1),
            ];
            sum += frame[(r * size + k) * 3 + c];
          }
        }
        out[(row * size + column) * 3 + c] = sum / 9;
      }
    }
  }
  return out;
}
