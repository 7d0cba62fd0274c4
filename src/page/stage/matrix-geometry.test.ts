import { describe, expect, it } from 'vitest';
import { cellAfterKey, cellAt, matrixEdges } from './matrix-geometry.ts';

describe('matrixEdges', () => {
  it('shares out every device pixel, with rows that differ by at most one', () => {
    const { y } = matrixEdges({ rows: 25, columns: 4 }, 352, 263);
    const heights = y.slice(1).map((edge, i) => edge - y[i]!);
    expect(y[0]).toBe(0);
    expect(y.at(-1)).toBe(263);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
  });
});

describe('cellAt', () => {
  const edges = matrixEdges({ rows: 2, columns: 4 }, 40, 10);

  it('finds the cell on whose pixels the point lies', () => {
    expect(cellAt(edges, 0, 0)).toEqual({ row: 0, column: 0 });
    expect(cellAt(edges, 39.9, 9.9)).toEqual({ row: 1, column: 3 });
    expect(cellAt(edges, 10, 4.9)).toEqual({ row: 0, column: 1 });
  });

  it('finds nothing outside', () => {
    expect(cellAt(edges, 40, 0)).toBeNull();
    expect(cellAt(edges, -0.1, 0)).toBeNull();
    expect(cellAt(edges, Number.NaN, 0)).toBeNull();
  });

  it('skips rows that are too thin to have a pixel', () => {
    const thin = matrixEdges({ rows: 10, columns: 1 }, 10, 5);
    for (let top = 0; top < 5; top++) {
      const cell = cellAt(thin, 0, top)!;
      expect(thin.y[cell.row]!).toBeLessThanOrEqual(top);
      expect(thin.y[cell.row + 1]!).toBeGreaterThan(top);
    }
  });
});

describe('cellAfterKey', () => {
  const shape = { rows: 25, columns: 4 };

  it('moves by one and stops at the border', () => {
    expect(cellAfterKey('ArrowDown', { row: 0, column: 1 }, shape)).toEqual({ row: 1, column: 1 });
    expect(cellAfterKey('ArrowUp', { row: 0, column: 1 }, shape)).toEqual({ row: 0, column: 1 });
    expect(cellAfterKey('ArrowRight', { row: 3, column: 3 }, shape)).toEqual({ row: 3, column: 3 });
    expect(cellAfterKey('PageDown', { row: 20, column: 0 }, shape)).toEqual({ row: 24, column: 0 });
    expect(cellAfterKey('End', { row: 2, column: 0 }, shape)).toEqual({ row: 2, column: 3 });
  });

  it('leaves other keys to others', () => {
    expect(cellAfterKey('a', { row: 0, column: 0 }, shape)).toBeNull();
  });
});
