/** Draws the scheduling matrix: steps down, frames right, each cell in the colour of its noise level. */
import { css, levelColour } from '../colour/noise.ts';
import { hatch } from './hatch.ts';
import type { Cell, MatrixEdges } from './matrix-geometry.ts';

export interface MatrixPicture {
  /** Level indices [rows, columns], 0 clean to `steps` pure noise; context columns first. */
  readonly levels: readonly (readonly (number | null)[])[];
  readonly steps: number;
  readonly context: number;
  /** Last row that has been reached, 0 the start; null when no run belongs to this matrix. */
  readonly reached: number | null;
  readonly running: boolean;
  readonly hovered: Cell | null;
}

/** Colours of the page, as CSS has them. */
export interface MatrixInks {
  readonly ground: string;
  readonly surface: string;
  readonly hatch: string;
  readonly accent: string;
  readonly ink: string;
  readonly faint: string;
}

/** Rows that a run has yet to reach keep this much of their colour. */
const WAITING = 0.28;
/** Rows at least this high (CSS pixels) are set apart by a line and ticked one by one. */
const ROOMY = 8;

/** @param left device pixels kept free left of the cells (row numbers), @param right those right of them (ticks). */
export function paintMatrix(
  canvas: HTMLCanvasElement,
  picture: MatrixPicture,
  edges: MatrixEdges,
  gutters: { readonly left: number; readonly right: number },
  inks: MatrixInks,
  density: number,
): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.save();
  pen.translate(gutters.left, 0);
  paintCells(pen, picture, edges, inks, density);
  paintTicks(pen, picture, edges, inks, density);
  paintOutlines(pen, picture, edges, inks, density);
  pen.translate(-gutters.left, 0);
  paintNumbers(pen, picture, edges, gutters.left, inks, density);
  pen.restore();
}

function paintCells(
  pen: CanvasRenderingContext2D,
  { levels, steps, context, reached, running }: MatrixPicture,
  { x, y }: MatrixEdges,
  inks: MatrixInks,
  density: number,
): void {
  const gap = Math.max(1, Math.round(density));
  const lines = hatch(pen, inks.hatch, density);
  const rowGap = y[1]! - y[0]! >= ROOMY * density ? gap : 0;
  for (const [row, cells] of levels.entries()) {
    pen.globalAlpha = running && reached !== null && row > reached ? WAITING : 1;
    for (const [column, level] of cells.entries()) {
      if (column < context || level === null) continue;
      pen.fillStyle = css(levelColour(level, steps));
      pen.fillRect(x[column]!, y[row]!, x[column + 1]! - x[column]! - gap, y[row + 1]! - y[row]! - rowGap);
    }
  }
  pen.globalAlpha = 1;
  const bottom = y.at(-1)! - rowGap;
  for (let column = 0; column < context; column++) {
    const width = x[column + 1]! - x[column]! - gap;
    pen.fillStyle = inks.ground;
    pen.fillRect(x[column]!, 0, width, bottom);
    pen.fillStyle = lines ?? inks.hatch;
    pen.fillRect(x[column]!, 0, width, bottom);
  }
}

/** Right of the cells: a tick for each row that was computed, or one line where rows are too thin for ticks. */
function paintTicks(
  pen: CanvasRenderingContext2D,
  { levels, reached }: MatrixPicture,
  { x, y }: MatrixEdges,
  inks: MatrixInks,
  density: number,
): void {
  if (reached === null || reached < 1) return;
  const left = x.at(-1)! + 6 * density;
  pen.strokeStyle = inks.accent;
  pen.lineWidth = 1.5 * density;
  pen.lineCap = pen.lineJoin = 'round';
  pen.beginPath();
  if (y[1]! - y[0]! < ROOMY * density) {
    pen.moveTo(left + 3 * density, y[1]!);
    pen.lineTo(left + 3 * density, y[Math.min(reached, levels.length - 1) + 1]! - density);
  } else {
    for (let row = 1; row <= Math.min(reached, levels.length - 1); row++) {
      const middle = (y[row]! + y[row + 1]!) / 2;
      pen.moveTo(left, middle);
      pen.lineTo(left + 2.5 * density, middle + 2.5 * density);
      pen.lineTo(left + 7 * density, middle - 3 * density);
    }
  }
  pen.stroke();
}

function paintOutlines(
  pen: CanvasRenderingContext2D,
  { levels, reached, running, hovered }: MatrixPicture,
  { x, y }: MatrixEdges,
  inks: MatrixInks,
  density: number,
): void {
  const line = Math.max(1, Math.round(2 * density));
  const outline = (left: number, top: number, right: number, bottom: number, colour: string) => {
    pen.strokeStyle = colour;
    pen.lineWidth = line;
    pen.lineJoin = 'miter';
    pen.strokeRect(left + line / 2, top + line / 2, right - left - line, Math.max(1, bottom - top - line));
  };
  if (running && reached !== null) {
    const row = Math.min(levels.length - 1, reached + 1);
    const middle = (y[row]! + y[row + 1]!) / 2;
    const half = Math.max((y[row + 1]! - y[row]!) / 2, 2 * density);
    outline(x[0]!, Math.max(0, middle - half), x.at(-1)!, middle + half, inks.accent);
  }
  if (hovered && hovered.row < levels.length && hovered.column < x.length - 1) {
    const { row, column } = hovered;
    const middle = (y[row]! + y[row + 1]!) / 2;
    const half = Math.max((y[row + 1]! - y[row]!) / 2, 2.5 * density);
    // Two colours, so that it shows on the darkest and on the palest cell.
    outline(
      x[column]! - line,
      middle - half - line,
      x[column + 1]! + line,
      middle + half + line,
      inks.surface,
    );
    outline(x[column]!, middle - half, x[column + 1]!, middle + half, inks.ink);
  }
}

/** Left of the cells: the number of the first row, the last, and round ones between. */
function paintNumbers(
  pen: CanvasRenderingContext2D,
  { levels }: MatrixPicture,
  { y }: MatrixEdges,
  width: number,
  inks: MatrixInks,
  density: number,
): void {
  const last = levels.length - 1;
  const rowHeight = (y.at(-1)! - y[0]!) / levels.length / density;
  const every = [1, 2, 4, 5, 8, 10, 20, 25, 50, 100, 200, 500].find((step) => step * rowHeight >= 24) ?? 1000;
  pen.fillStyle = inks.faint;
  pen.font = `${12 * density}px ${getComputedStyle(pen.canvas).fontFamily}`;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (let row = 0; row <= last; row++) {
    const crowdsLast = row !== last && (last - row) * rowHeight < 14;
    if (row !== last && (row % every !== 0 || crowdsLast)) continue;
    const middle = (y[row]! + y[row + 1]!) / 2;
    const inside = Math.min(Math.max(middle, 7 * density), y.at(-1)! - 7 * density);
    pen.fillText(String(row), width - 8 * density, inside);
  }
}
