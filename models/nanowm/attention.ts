/** Self-attention of a block: over the patches of one frame, or over the frames of one patch. */
import type { Value } from '../onnx/graph.ts';
import { attention, attentionBias, rotate, rotaryTables } from '../onnx/ops/attention.ts';
import type { RotaryTables } from '../onnx/ops/attention.ts';
import { rmsNorm } from '../onnx/ops/norm.ts';
import { reshape, splitEqually } from '../onnx/ops/shape.ts';
import { headWidthOf, patchesOf } from './config.ts';
import { apply, asTokens, layerOf } from './parts.ts';
import type { Build } from './parts.ts';
import { spatialAngles, temporalAngles } from './rotary.ts';

/** One of the two axes along which tokens attend to each other, with its constants. */
export interface Axis {
  readonly kind: 'spatial' | 'temporal';
  /** Tokens that attend to each other: P or F. */
  readonly length: number;
  /** Independent heads of such a sequence. */
  readonly heads: number;
  readonly rotary: RotaryTables;
  /** [1, 1, length, length], or null when everything is visible. */
  readonly mask: Value | null;
}

/** The patches of one frame, never masked. */
export function spatialAxis({ graph, config }: Build): Axis {
  const { heads, patch, latentHeight, latentWidth } = config;
  const length = patchesOf(config);
  const angles = spatialAngles(latentHeight / patch, latentWidth / patch, headWidthOf(config));
  const rotary = rotaryTables(graph, 'rotary.spatial', length, angles);
  return { kind: 'spatial', length, heads, rotary, mask: null };
}

/**
 * The same patch over frames. [B, F, P, D] seen as [B, F, P * D] has one head for each head of each
 * patch, so the frames need not be moved next to each other: no transposition before or after.
 */
export function temporalAxis(build: Build): Axis {
  const { graph, config } = build;
  const { frames: length, heads } = config;
  const angles = temporalAngles(length, headWidthOf(config));
  return {
    kind: 'temporal',
    length,
    heads: heads * patchesOf(config),
    rotary: rotaryTables(graph, 'rotary.temporal', length, angles),
    mask: config.causal ? attentionBias(graph, 'causal', length, length, (q, k) => k <= q) : null,
  };
}

/** h [B, F, P, D] -> [B, F, P, D], by the weights under `<name>.`. */
export function selfAttention(build: Build, name: string, axis: Axis, h: Value): Value {
  const { graph, config, weights } = build;
  const { width } = config;
  const headWidth = headWidthOf(config);
  const qkv = apply(build, h, layerOf(build, `${name}.qkv`, width, 3 * width)); // [B * F * P, 3 * D]
  const [q, k, v] = splitEqually(graph, qkv, 3, 1) as [Value, Value, Value];
  const sequence = (rows: Value) => reshape(graph, rows, [-1, axis.length, axis.heads * headWidth]);
  const normal = (rows: Value, part: string) => {
    const weight = graph.constant(`${name}.${part}`, weights.get(`${name}.${part}`, [headWidth]), [
      headWidth,
    ]);
    const perHead = rmsNorm(graph, reshape(graph, rows, [-1, headWidth]), weight); // [B * F * P * heads, width]
    return rotate(graph, sequence(perHead), axis.rotary);
  };
  const inputs = {
    query: normal(q, 'q_norm.weight'),
    key: normal(k, 'k_norm.weight'),
    value: sequence(v),
    bias: axis.mask,
  };
  const mixed = attention(graph, inputs, axis.heads);
  return asTokens(build, apply(build, mixed, layerOf(build, `${name}.proj`, width, width)), width);
}
