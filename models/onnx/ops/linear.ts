/** Fully connected layers. */
import type { Graph, Value } from '../graph.ts';
import type { Read } from '../initialiser.ts';
import { quantised } from '../quantise.ts';
import { transposed } from '../weights.ts';
import { add } from './arithmetic.ts';

export interface LinearWeights {
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  /** [outputs, inputs], as PyTorch keeps it. */
  readonly weight: Read;
  readonly bias: Float32Array | null;
}

/**
 * x [rows, inputs] -> [rows, outputs]. The weight is stored transposed, which runtimes read fastest, and
 * in blocks along its inputs when the graph's storage is a quantised one.
 * Biases stay float32: they are small, and what is added to them (see nanowm) must not be rounded.
 */
export function linear(graph: Graph, x: Value, layer: LinearWeights): Value {
  const { name, inputs, outputs, weight, bias } = layer;
  const product = quantised(graph, x, layer);
  if (product !== null) {
    return bias === null ? product : add(graph, product, graph.constant(`${name}.bias`, bias, [outputs]));
  }
  const columns = () => transposed(weight(), outputs, inputs); // [inputs, outputs]
  const matrix = graph.weight(`${name}.weight`, columns, [inputs, outputs], weight);
  if (bias === null) return graph.node('MatMul', [x, matrix]);
  return graph.node('Gemm', [x, matrix, graph.constant(`${name}.bias`, bias, [outputs])]);
}

/** Two layers whose results are added, as one layer over both inputs side by side. */
export function overBoth(first: LinearWeights, second: LinearWeights): LinearWeights {
  const { outputs } = first;
  const inputs = first.inputs + second.inputs;
  const weight = () => {
    const [a, b, both] = [first.weight(), second.weight(), new Float32Array(outputs * inputs)];
    for (let o = 0; o < outputs; o++) {
      both.set(a.subarray(o * first.inputs, (o + 1) * first.inputs), o * inputs);
      both.set(b.subarray(o * second.inputs, (o + 1) * second.inputs), o * inputs + first.inputs);
    }
    return both;
  };
  const bias = Float32Array.from(
    { length: outputs },
    (_, o) => (first.bias?.[o] ?? 0) + (second.bias?.[o] ?? 0),
  );
  return { name: `${first.name}+${second.name}`, inputs, outputs, weight, bias };
}
