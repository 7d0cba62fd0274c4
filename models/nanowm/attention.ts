/** Self-attention of a block: over the patches of one frame, or over the frames of one patch. */
import type { Value } from '../onnx/graph.ts';
import { attention, rotate, rotaryTables } from '../onnx/ops/attention.ts';
import type { RotaryTables } from '../onnx/ops/attention.ts';
import { rmsNorm } from '../onnx/ops/norm.ts';
import { reshape, splitEqually } from '../onnx/ops/shape.ts';
import { headWidthOf, patchesOf } from './config.ts';
import { apply, asTokens, layerOf } from './parts.ts';
import type { Build } from './parts.ts';
import { spatialAngles } from './rotary.ts';

/** One of the two axes along which tokens attend to each other, with its constants. */
export interface Axis {
  readonly kind: 'spatial' | 'temporal';
  /** Tokens -> [sequences, length, heads * head width]: those of a sequence attend to each other. */
  readonly sequences: (rows: Value) => Value;
  /** Independent heads of such a sequence. */
  readonly heads: number;
  readonly rotary: RotaryTables;
  /** [1, 1, length, seen], or null when everything is visible. */
  readonly mask: Value | null;
  /** Keys or values of a sequence -> those that it sees, [sequences, seen, heads * head width]. */
  readonly seen: (name: string, computed: Value) => Value;
}

/** The patches of one frame, never masked. */
export function spatialAxis({ graph, config }: Build): Axis {
  const { heads, patch, width, latentHeight, latentWidth } = config;
  const length = patchesOf(config);
  const angles = spatialAngles(latentHeight / patch, latentWidth / patch, headWidthOf(config));
  return {
    kind: 'spatial',
    sequences: (rows) => reshape(graph, rows, [-1, length, width]),
    heads,
    rotary: rotaryTables(graph, 'rotary.spatial', length, angles),
    mask: null,
    seen: (_name, computed) => computed,
  };
}

/**
 * The same patch over frames. [B, F, P, D] seen as [B, F, P * D] has one head for each head of each
 * patch, so the frames need not be moved next to each other: no transposition before or after.
 */
export function temporalAxis({ config, time }: Build): Axis {
  const patches = patchesOf(config);
  return {
    kind: 'temporal',
    sequences: (rows) => time.perClip(rows, patches * config.width),
    heads: config.heads * patches,
    rotary: time.rotary,
    mask: time.mask,
    seen: time.seen,
  };
}

/** h [B, F, P, D] -> [B, F, P, D], by the weights of block `index`. */
export function selfAttention(build: Build, index: number, axis: Axis, h: Value): Value {
  const { graph, config, weights } = build;
  const { width } = config;
  const headWidth = headWidthOf(config);
  const name = `blocks.${index}.attn`;
  const qkv = apply(build, h, layerOf(build, `${name}.qkv`, width, 3 * width)); // [B * F * P, 3 * D]
  const [q, k, v] = splitEqually(graph, qkv, 3, 1) as [Value, Value, Value];
  const normal = (rows: Value, part: string) => {
    const weight = graph.constant(`${name}.${part}`, weights.get(`${name}.${part}`, [headWidth]), [
      headWidth,
    ]);
    const perHead = rmsNorm(graph, reshape(graph, rows, [-1, headWidth]), weight); // [B * F * P * heads, width]
    return rotate(graph, axis.sequences(perHead), axis.rotary);
  };
  const inputs = {
    query: normal(q, 'q_norm.weight'),
    key: axis.seen(`key_${index}`, normal(k, 'k_norm.weight')),
    value: axis.seen(`value_${index}`, axis.sequences(v)),
    bias: axis.mask,
  };
  const mixed = attention(graph, inputs, axis.heads);
  return asTokens(build, apply(build, mixed, layerOf(build, `${name}.proj`, width, width)), width);
}
