/** The four point mazes, as cells and walls. Facts/worlds.md section 1 (D4RL maze2d lineage). */
import { unknown } from '../../errors.ts';

/** One string per w (the world's x), one character per h (the world's y): `#` is a wall. G is free. */
const LAYOUTS = {
  umaze: '#####/#GOO#/###O#/#OOO#/#####',
  open: '#######/#OOOOO#/#OOGOO#/#OOOOO#/#######',
  medium: '########/#OO##OO#/#OO#OOO#/##OOO###/#OO#OOO#/#O#OO#O#/#OOO#OG#/########',
  large:
    '############/#OOOO#OOOOO#/#O##O#O#O#O#/#OOOOOO#OOO#/#O####O###O#/#OO#O#OOOOO#/##O#O#O#O###/#OO#OOO#OGO#/############',
} as const;

export type MazeName = keyof typeof LAYOUTS;
export const MAZE_NAMES = Object.keys(LAYOUTS) as readonly MazeName[];

export interface Cell {
  readonly w: number;
  readonly h: number;
}

/** A box in world units, seen from above. */
export interface Box {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

export interface MazeMap {
  readonly name: MazeName;
  /** Number of cells along the world's x. */
  readonly width: number;
  /** Number of cells along the world's y. */
  readonly height: number;
  readonly free: readonly Cell[];
  readonly walls: readonly Cell[];
  /** True inside a wall; false in a free cell and outside the map. */
  isWall(w: number, h: number): boolean;
}

const built = new Map<MazeName, MazeMap>();

/**
 * The map called `name`.
 * @throws unknown map
 */
export function mazeMap(name: string): MazeMap {
  if (!Object.hasOwn(LAYOUTS, name)) throw unknown('map', name, `use ${MAZE_NAMES.join(', ')}`);
  const known = name as MazeName;
  const map = built.get(known) ?? build(known);
  built.set(known, map);
  return map;
}

function build(name: MazeName): MazeMap {
  const rows = LAYOUTS[name].split('/');
  const free: Cell[] = [];
  const walls: Cell[] = [];
  rows.forEach((row, w) => [...row].forEach((mark, h) => (mark === '#' ? walls : free).push({ w, h })));
  return {
    name,
    width: rows.length,
    height: rows[0].length,
    free,
    walls,
    isWall: (w, h) => rows[w]?.[h] === '#',
  };
}

/** The ground that cell (w, h) covers: the unit square around (w + 1, h + 1). */
export function cellBox({ w, h }: Cell): Box {
  return { x0: w + 0.5, x1: w + 1.5, y0: h + 0.5, y1: h + 1.5 };
}

/** World position of the ball's body when qpos is zero, on both axes. */
export const BALL_ORIGIN = 1.2;
/** Radius of the ball as it is drawn; the physical sphere has half of it. World units. */
export const DRAWN_RADIUS = 0.2;

/**
 * True when a ball of `radius` at (x, y), in qpos, keeps clear of every wall, each wall grown by the
 * radius on both axes (so corners are square: for the U maze 0.5..3.1 minus 1.1 < x < 2.5, y < 2.5).
 */
export function isClear(map: MazeMap, x: number, y: number, radius = DRAWN_RADIUS): boolean {
  const worldX = x + BALL_ORIGIN;
  const worldY = y + BALL_ORIGIN;
  if (worldX < 0.5 || worldX > map.width + 0.5 || worldY < 0.5 || worldY > map.height + 0.5) return false;
  return map.walls.every((cell) => {
    const box = cellBox(cell);
    return (
      worldX <= box.x0 - radius ||
      worldX >= box.x1 + radius ||
      worldY <= box.y0 - radius ||
      worldY >= box.y1 + radius
    );
  });
}
