/** The embedding of every base timestep, computed when the graph is built. */
import type { LinearWeights } from '../onnx/ops/linear.ts';

/** Base timesteps 0..999 (facts/nanowm.md section 3). */
export const TIMESTEPS = 1000;
/** Width of the sinusoid, half cosines, half sines (facts/nanowm.md section 1). */
export const SINUSOID_WIDTH = 256;
const MAX_PERIOD = 10000;

/**
 * [TIMESTEPS, D]: Linear-SiLU-Linear of each timestep's sinusoid.
 *
 * A table, because the cosine of a large angle is not portable: WGSL promises no accuracy outside
 * [-pi, pi], and a timestep reaches 999 radians.
 */
export function timestepTable(first: LinearWeights, second: LinearWeights): Float32Array {
  const width = second.outputs;
  const table = new Float32Array(TIMESTEPS * width);
  const layers = [first, second].map((layer) => ({ ...layer, weight: layer.weight() })) as [
    DenseLayer,
    DenseLayer,
  ];
  for (let t = 0; t < TIMESTEPS; t += TOGETHER) {
    const rows = Array.from({ length: TOGETHER }, (_, i) => sinusoid(t + i));
    const hidden = dense(layers[0], rows).map((row) => row.map((value) => value / (1 + Math.exp(-value))));
    dense(layers[1], hidden).forEach((row, i) => table.set(row, (t + i) * width));
  }
  return table;
}

interface DenseLayer extends Omit<LinearWeights, 'weight'> {
  readonly weight: Float32Array;
}

/** Frequencies and angles are rounded to float32 at each operation, as the original computes them. */
function sinusoid(timestep: number): Float64Array {
  const half = SINUSOID_WIDTH / 2;
  const row = new Float64Array(SINUSOID_WIDTH);
  const slope = Math.fround(-Math.log(MAX_PERIOD));
  for (let i = 0; i < half; i++) {
    const frequency = Math.fround(Math.exp(Math.fround(slope * i) / half));
    const angle = Math.fround(timestep * frequency);
    row[i] = Math.cos(angle);
    row[half + i] = Math.sin(angle);
  }
  return row;
}

/** Rows that share each look at a weight; it divides TIMESTEPS. */
const TOGETHER = 4;

/** Each row's sum goes over its inputs in their order, as it would alone. */
function dense({ weight, bias, inputs, outputs }: DenseLayer, rows: readonly Float64Array[]): Float64Array[] {
  const [x0, x1, x2, x3] = rows as readonly [Float64Array, Float64Array, Float64Array, Float64Array];
  const out = rows.map(() => new Float64Array(outputs));
  for (let o = 0; o < outputs; o++) {
    const start = o * inputs;
    let s0 = bias === null ? 0 : bias[o];
    let [s1, s2, s3] = [s0, s0, s0];
    for (let i = 0; i < inputs; i++) {
      const w = weight[start + i];
      s0 += w * x0[i];
      s1 += w * x1[i];
      s2 += w * x2[i];
      s3 += w * x3[i];
    }
    out[0][o] = s0;
    out[1][o] = s1;
    out[2][o] = s2;
    out[3][o] = s3;
  }
  return out;
}
