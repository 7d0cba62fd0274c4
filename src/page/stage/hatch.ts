/** Thin diagonal lines: what is given and not computed (the context) is hatched wherever it is shown. */

/** CSS pixels from line to line. */
const DISTANCE = 5;

const patterns = new Map<string, CanvasPattern | null>();

/** The pattern, made once for each colour and density. @param density device pixels for a CSS pixel. */
export function hatch(pen: CanvasRenderingContext2D, colour: string, density: number): CanvasPattern | null {
  const key = `${colour} ${density}`;
  const there = patterns.get(key);
  if (there !== undefined) return there;
  const pattern = pen.createPattern(tile(colour, density), 'repeat');
  patterns.set(key, pattern);
  return pattern;
}

function tile(colour: string, density: number): HTMLCanvasElement {
  const side = Math.max(4, Math.round(DISTANCE * density));
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const pen = canvas.getContext('2d');
  if (!pen) return canvas;
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1, density * 0.9);
  pen.beginPath();
  // Three strokes, so that the line meets itself at the corners of the tile.
  for (const shift of [-side, 0, side]) {
    pen.moveTo(shift - 1, side + 1);
    pen.lineTo(shift + side + 1, -1);
  }
  pen.stroke();
  return canvas;
}
