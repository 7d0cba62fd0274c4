/** Element by element, with broadcasting. */
import type { Graph, Value } from '../graph.ts';

export function add(graph: Graph, a: Value, b: Value): Value {
  return graph.node('Add', [a, b]);
}

export function multiply(graph: Graph, a: Value, b: Value): Value {
  return graph.node('Mul', [a, b]);
}

/** x * sigmoid(x), in one kernel: the runtime's QuickGelu with alpha 1 is SiLU. */
export function silu(graph: Graph, x: Value): Value {
  return graph.node('QuickGelu', [x], { alpha: { float: 1 } });
}
