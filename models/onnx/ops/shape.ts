/** Other views of the same numbers. */
import type { Graph, Value } from '../graph.ts';

/** `shape` may hold one -1 (what is left over) and 0s (the same side as the input's). */
export function reshape(graph: Graph, x: Value, shape: readonly number[]): Value {
  return graph.node('Reshape', [x, graph.ints(shape)]);
}

export function transpose(graph: Graph, x: Value, perm: readonly number[]): Value {
  return graph.node('Transpose', [x], { perm });
}

/** Equal parts along `axis`. */
export function splitEqually(graph: Graph, x: Value, parts: number, axis: number): Value[] {
  return graph.nodeWithOutputs('Split', parts, [x], { axis, num_outputs: parts });
}

export function concat(graph: Graph, parts: readonly Value[], axis: number): Value {
  return graph.node('Concat', parts, { axis });
}

/** Elements from `start` up to, not including, `end` along `axis`. */
export function slice(graph: Graph, x: Value, axis: number, start: number, end: number): Value {
  return graph.node('Slice', [x, graph.ints([start]), graph.ints([end]), graph.ints([axis])]);
}

/** Zeros around: `before` and `after` say how many along each axis. */
export function padWithZeros(
  graph: Graph,
  x: Value,
  before: readonly number[],
  after: readonly number[],
): Value {
  return graph.node('Pad', [x, graph.ints([...before, ...after])]);
}
