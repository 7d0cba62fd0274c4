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

/** [rows, columns] -> [columns, rows]. */
export function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      result[column * rows + row] = values[row * columns + column];
    }
  }
  return result;
}
