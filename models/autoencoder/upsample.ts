/**
 * Nearest-neighbour doubling followed by a 3x3 convolution, as four 2x2 convolutions at the small size:
 * of nine taps on doubled pixels, taps on the same pixel are summed beforehand. The same result up to
 * rounding, for 4/9 of the multiplications.
 */
import type { Value } from '../onnx/graph.ts';
import { convolution, interleaved } from '../onnx/ops/convolution.ts';
import { readWeight } from '../onnx/weights.ts';
import type { Build } from './parts.ts';

/** x [N, C, h, w] -> [N, C, 2 h, 2 w], by the 3x3 convolution under `name`. */
export function upsample({ graph, weights }: Build, x: Value, name: string, channels: number): Value {
  const weight = () => readWeight(weights, `${name}.weight`, [channels, channels, 3, 3]);
  const bias = readWeight(weights, `${name}.bias`, [channels]);
  const phases = [0, 1].flatMap((row) =>
    [0, 1].map((column) => {
      const phase = {
        name: `${name}.phase${row}${column}`,
        weight: () => phaseKernels(weight(), row, column),
        bias,
        inputs: channels,
        outputs: channels,
        kernel: 2,
      };
      // An even output pixel sees its source and the one before, an odd one its source and the one after.
      return convolution(graph, x, phase, { pads: [1 - row, 1 - column, row, column] });
    }),
  );
  return interleaved(graph, phases);
}

/** Taps of a 3-kernel on doubled pixels that fall on the first and on the second of two source pixels. */
const TAPS = [
  [[0], [1, 2]],
  [[0, 1], [2]],
] as const;

/** 3x3 kernels [..., 3, 3] -> the 2x2 kernels [..., 2, 2] of the output pixels of one parity. */
function phaseKernels(kernels: Float32Array, row: number, column: number): Float32Array {
  const result = new Float32Array((kernels.length / 9) * 4);
  for (let i = 0; i < result.length; i++) {
    const first = Math.floor(i / 4) * 9;
    let sum = 0;
    for (const r of TAPS[row]![(i >> 1) & 1]!) {
      for (const c of TAPS[column]![i & 1]!) sum += kernels[first + r * 3 + c];
    }
    result[i] = sum;
  }
  return result;
}
