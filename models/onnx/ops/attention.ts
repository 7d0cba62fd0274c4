/** Attention with several heads, in the runtime's fused kernels. */
import type { Graph, Value } from '../graph.ts';

export interface AttentionInputs {
  /** [batch, queries, heads * width]. */
  readonly query: Value;
  /** [batch, keys, heads * width]. */
  readonly key: Value;
  readonly value: Value;
  /** Added to the scores, [1, 1, queries, keys]; null attends to everything. */
  readonly bias: Value | null;
}

/** softmax(q k^T / sqrt(width) + bias) v -> [batch, queries, heads * width]. */
export function attention(graph: Graph, { query, key, value, bias }: AttentionInputs, heads: number): Value {
  const inputs = [query, key, value, null, null, bias];
  return graph.node('MultiHeadAttention', bias === null ? inputs.slice(0, 3) : inputs, { num_heads: heads });
}

/** Below every score: exp of it is exactly 0, and it stays finite when a score is added. */
export const MASKED = -1e30;

/**
 * A constant [1, 1, queries, keys] that hides key k from query q unless `visible(q, k)`.
 */
export function attentionBias(
  graph: Graph,
  name: string,
  queries: number,
  keys: number,
  visible: (query: number, key: number) => boolean,
): Value {
  const bias = new Float32Array(queries * keys);
  for (let q = 0; q < queries; q++) {
    for (let k = 0; k < keys; k++) bias[q * keys + k] = visible(q, k) ? 0 : MASKED;
  }
  return graph.constant(name, bias, [1, 1, queries, keys]);
}

/** Cosines and sines of rotary embedding, [positions, width / 2] each. */
export interface RotaryTables {
  readonly cosines: Value;
  readonly sines: Value;
}

/** Angles [positions, width / 2] -> constant tables. */
export function rotaryTables(
  graph: Graph,
  name: string,
  positions: number,
  angles: Float64Array,
): RotaryTables {
  const shape = [positions, angles.length / positions];
  return {
    cosines: graph.constant(`${name}.cosines`, Float32Array.from(angles, Math.cos), shape),
    sines: graph.constant(`${name}.sines`, Float32Array.from(angles, Math.sin), shape),
  };
}

/**
 * Rotates every head of x [batch, positions, heads * width], the halves of a head being the two
 * coordinates. Positions start at 0; the heads' width is twice the tables'.
 */
export function rotate(graph: Graph, x: Value, { cosines, sines }: RotaryTables): Value {
  return graph.node('RotaryEmbedding', [x, graph.ints([0]), cosines, sines]);
}
