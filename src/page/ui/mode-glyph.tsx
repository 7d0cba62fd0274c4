import { css, noiseColour } from '../colour/noise.ts';

/** Frames and steps of the little drawing. */
const COLUMNS = 4;
const LEVELS = 3;

/** A schedule in small: steps down, frames right, in the colours of the noise scale. */
export function ModeGlyph({ lag }: { readonly lag: number }) {
  const rows = LEVELS + lag * (COLUMNS - 1) + 1;
  const width = 28;
  const height = 24;
  const cells = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const clean = Math.min(1, Math.max(0, (row - column * lag) / LEVELS));
      cells.push(
        <rect
          key={`${row} ${column}`}
          x={(column * width) / COLUMNS}
          y={(row * height) / rows}
          width={width / COLUMNS - 1}
          // A hair of overlap, so that no seam shows between rows.
          height={height / rows + (row < rows - 1 ? 0.4 : 0)}
          fill={css(noiseColour(clean))}
        />,
      );
    }
  }
  return (
    <svg
      className="glyph"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      {cells}
    </svg>
  );
}
