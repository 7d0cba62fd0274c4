/** Angles of rotary embedding (facts/nanowm.md section 1). Rows are positions, columns half a head. */
const BASE = 10000;

/** Position = index of the frame in the window. [frames, headWidth / 2]. */
export function temporalAngles(frames: number, headWidth: number): Float64Array {
  const half = headWidth / 2;
  return Float64Array.from({ length: frames * half }, (_, index) => {
    const position = Math.floor(index / half);
    return position * BASE ** (-(index % half) / half);
  });
}

/** Tokens of a grid, row-major: first the row's angles, then the column's. [rows * columns, headWidth / 2]. */
export function spatialAngles(rows: number, columns: number, headWidth: number): Float64Array {
  const half = headWidth / 2;
  const quarter = headWidth / 4;
  return Float64Array.from({ length: rows * columns * half }, (_, index) => {
    const token = Math.floor(index / half);
    const i = index % half;
    const position = i < quarter ? Math.floor(token / columns) : token % columns;
    return position * BASE ** (-(i % quarter) / quarter);
  });
}
