/** Sizes and places that are known at run time only. */
import type { Graph, Value } from '../graph.ts';
import { multiply } from './arithmetic.ts';
import { MASKED } from './attention.ts';
import { reshape } from './shape.ts';

const INT32 = 6;

/** The sides of x as an int64 vector. */
export function sidesOf(graph: Graph, x: Value): Value {
  return graph.node('Shape', [x]);
}

/** x repeated until it has `sides`, an int64 vector. */
export function expand(graph: Graph, x: Value, sides: Value): Value {
  return graph.node('Expand', [x, sides]);
}

/** Rows of `table` along `axis`; `places`, whole numbers in float32, give their sides to that axis's place. */
export function rowsOf(graph: Graph, table: Value, places: Value, axis: number): Value {
  return graph.node('Gather', [table, graph.node('Cast', [places], { to: INT32 })], { axis });
}

/** x where `places` is above 0, else 0; places broadcast to x. Whatever x holds elsewhere is not looked at. */
export function beyondFirst(graph: Graph, x: Value, places: Value): Value {
  const zero = graph.vector([0]);
  return graph.node('Where', [graph.node('Greater', [places, zero]), x, zero]);
}

/**
 * The attention bias that hides from each query the keys that stand after it: places [queries] and [keys],
 * float32 -> [1, 1, queries, keys].
 */
export function hideLater(graph: Graph, queries: Value, keys: Value): Value {
  const distance = graph.node('Sub', [
    reshape(graph, keys, [1, 1, 1, -1]),
    reshape(graph, queries, [1, 1, -1, 1]),
  ]);
  return multiply(graph, graph.node('Relu', [distance]), graph.vector([MASKED]));
}
