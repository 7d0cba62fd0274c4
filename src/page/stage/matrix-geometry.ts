/** Where the cells of the scheduling matrix lie, in device pixels, and which cell a point or a key leads to. */

export interface MatrixShape {
  readonly rows: number;
  readonly columns: number;
}

export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** Edges in whole device pixels: `rows + 1` and `columns + 1` of them, so that neighbours meet without a seam. */
export interface MatrixEdges {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export function matrixEdges(shape: MatrixShape, width: number, height: number): MatrixEdges {
  return { x: edges(shape.columns, width), y: edges(shape.rows, height) };
}

/** The cell under a point (same unit as the edges), or null outside. */
export function cellAt({ x, y }: MatrixEdges, left: number, top: number): Cell | null {
  const column = interval(x, left);
  const row = interval(y, top);
  return row === null || column === null ? null : { row, column };
}

/** Where an arrow, Home, End, Page Up or Page Down leads from a cell; null when the key is none of these. */
export function cellAfterKey(key: string, { row, column }: Cell, shape: MatrixShape): Cell | null {
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: clamp(nextRow, shape.rows),
    column: clamp(nextColumn, shape.columns),
  });
  switch (key) {
    case 'ArrowUp':
      return to(row - 1, column);
    case 'ArrowDown':
      return to(row + 1, column);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'Home':
      return to(row, 0);
    case 'End':
      return to(row, shape.columns - 1);
    case 'PageUp':
      return to(row - 10, column);
    case 'PageDown':
      return to(row + 10, column);
    default:
      return null;
  }
}

function edges(count: number, length: number): number[] {
  return Array.from({ length: count + 1 }, (_, i) => Math.round((i * length) / count));
}

function interval(marks: readonly number[], place: number): number | null {
  const first = marks[0] ?? 0;
  const last = marks.at(-1) ?? 0;
  if (!(place >= first && place < last)) return null;
  let index = 0;
  while (index < marks.length - 2 && place >= marks[index + 1]!) index++;
  return index;
}

function clamp(value: number, count: number): number {
  return Math.min(count - 1, Math.max(0, value));
}
