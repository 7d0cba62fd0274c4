/** Thin diagonal lines: what is given and not computed (the context) is hatched wherever it is shown. */

/** @param density device pixels for a CSS pixel; the lines are 5 CSS pixels apart. */
export function hatch(
  context: CanvasRenderingContext2D,
  colour: string,
  density: number,
): CanvasPattern | null {
  const side = Math.max(4, Math.round(5 * density));
  const tile = document.createElement('canvas');
  tile.width = tile.height = side;
  const pen = tile.getContext('2d');
  if (!pen) return null;
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1, density * 0.9);
  pen.beginPath();
  // Three strokes, so that the line meets itself at the corners of the tile.
  for (const shift of [-side, 0, side]) {
    pen.moveTo(shift - 1, side + 1);
    pen.lineTo(shift + side + 1, -1);
  }
  pen.stroke();
  return context.createPattern(tile, 'repeat');
}
