import { describe, expect, it } from 'vitest';
import { readReferenceText } from '../../testing/reference.ts';
import { MAZE_NAMES, isClear, mazeMap } from './maps.ts';

const golden = readReferenceText('maze/maps.json');

describe('maze maps', () => {
  it.skipIf(golden === null)('are the four of the reference, cell by cell', () => {
    const layouts = JSON.parse(golden!) as Record<string, string>;
    expect([...MAZE_NAMES].sort()).toEqual(Object.keys(layouts).sort());
    for (const [name, text] of Object.entries(layouts)) {
      const map = mazeMap(name);
      const rows = text.split('/');
      expect([map.width, map.height]).toEqual([rows.length, rows[0].length]);
      const drawn = rows.map((row, w) => [...row].map((_, h) => (map.isWall(w, h) ? '#' : 'O')).join(''));
      expect(drawn.join('/')).toBe(text.replaceAll('G', 'O'));
      expect(map.walls.length).toBe([...text].filter((mark) => mark === '#').length);
      expect(map.walls.length + map.free.length).toBe(map.width * map.height);
    }
  });

  it('clear the drawn ball of the U maze exactly where the facts say', () => {
    const map = mazeMap('umaze');
    for (let i = -2; i <= 38; i++) {
      for (let j = -2; j <= 38; j++) {
        const [x, y] = [i / 10 + 0.05, j / 10 + 0.05];
        const inside = x > 0.5 && x < 3.1 && y > 0.5 && y < 3.1;
        const behindInnerWall = x > 1.1 && x < 2.5 && y < 2.5;
        expect(isClear(map, x, y), `at ${x}, ${y}`).toBe(inside && !behindInnerWall);
      }
    }
  });

  it('are never clear outside the map', () => {
    expect(isClear(mazeMap('open'), -5, 2)).toBe(false);
    expect(isClear(mazeMap('open'), 2, 50)).toBe(false);
  });

  it.each(['u-maze', '', 'constructor', 'UMAZE'])(
    'refuse the unknown name %j and list the known ones',
    (name) => {
      expect(() => mazeMap(name)).toThrow(/^unknown map: .*; use umaze, open, medium, large$/);
    },
  );
});
