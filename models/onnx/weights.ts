/** Weights as the graph builders take them: float32, of the expected shape. */
import { toFloat32 } from '../array/convert.ts';
import { invalid } from '../errors.ts';
import type { Weights } from '../files/weights.ts';

/** Values of the weight `name`, row-major. @throws when its shape is not `shape`. */
export function readWeight(weights: Weights, name: string, shape: readonly number[]): Float32Array {
  const stored = weights.shape(name);
  if (stored.length !== shape.length || stored.some((side, axis) => side !== shape[axis])) {
    const remedy = `the other weights need [${shape.join(', ')}]; the file mixes two models or was altered`;
    throw invalid('weight', `${name} of shape [${stored.join(', ')}]`, remedy);
  }
  return toFloat32(weights.get(name));
}

/** Side of the squares in which a matrix is turned: two of them fit the processor's first cache. */
const TILE = 32;

/** [rows, columns] -> [columns, rows]. */
export function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(values.length);
  for (let top = 0; top < rows; top += TILE) {
    const bottom = Math.min(top + TILE, rows);
    for (let left = 0; left < columns; left += TILE) {
      const right = Math.min(left + TILE, columns);
      for (let column = left; column < right; column++) {
        for (let row = top; row < bottom; row++) {
          result[column * rows + row] = values[row * columns + column];
        }
      }
    }
  }
  return result;
}
