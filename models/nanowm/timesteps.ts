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
  for (let t = 0; t < TIMESTEPS; t++) {
    const hidden = dense(layers[0], sinusoid(t)).map((value) => value / (1 + Math.exp(-value)));
    table.set(dense(layers[1], hidden), t * width);
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

function dense({ weight, bias, inputs, outputs }: DenseLayer, x: Float64Array): Float64Array {
  const y = new Float64Array(outputs);
  for (let o = 0; o < outputs; o++) {
    let sum = bias === null ? 0 : bias[o];
    for (let i = 0; i < inputs; i++) sum += weight[o * inputs + i] * x[i];
    y[o] = sum;
  }
  return y;
}
