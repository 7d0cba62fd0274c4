/** Fully connected layers. */
import type { Graph, Value } from '../graph.ts';
import type { Storage } from '../initialiser.ts';
import { transposed } from '../weights.ts';

export interface LinearWeights {
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  /** [outputs, inputs], as PyTorch keeps it. */
  readonly weight: Float32Array;
  readonly bias: Float32Array | null;
}

/**
 * x [rows, inputs] -> [rows, outputs]. The weight is stored transposed: what runtimes read fastest.
 * Biases stay float32: they are small, and what is added to them (see nanowm) must not be rounded.
 */
export function linear(graph: Graph, x: Value, layer: LinearWeights, storage: Storage): Value {
  const { name, inputs, outputs, weight, bias } = layer;
  const columns = transposed(weight, outputs, inputs); // [inputs, outputs]
  const matrix = graph.weight(`${name}.weight`, columns, [inputs, outputs], storage);
  if (bias === null) return graph.node('MatMul', [x, matrix]);
  return graph.node('Gemm', [x, matrix, graph.constant(`${name}.bias`, bias, [outputs])]);
}

/** Two layers whose results are added, as one layer over both inputs side by side. */
export function overBoth(first: LinearWeights, second: LinearWeights): LinearWeights {
  const { outputs } = first;
  const inputs = first.inputs + second.inputs;
  const weight = new Float32Array(outputs * inputs);
  for (let o = 0; o < outputs; o++) {
    weight.set(first.weight.subarray(o * first.inputs, (o + 1) * first.inputs), o * inputs);
    weight.set(second.weight.subarray(o * second.inputs, (o + 1) * second.inputs), o * inputs + first.inputs);
  }
  const bias = Float32Array.from(
    { length: outputs },
    (_, o) => (first.bias?.[o] ?? 0) + (second.bias?.[o] ?? 0),
  );
  return { name: `${first.name}+${second.name}`, inputs, outputs, weight, bias };
}
