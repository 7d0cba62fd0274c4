/**
 * What holds across frames. Everything else in a NanoWM looks at one frame at a time, so the graphs that are
 * made of the same parts differ in this alone.
 */
import type { Value } from '../onnx/graph.ts';
import { attentionBias, rotaryTables } from '../onnx/ops/attention.ts';
import type { RotaryTables } from '../onnx/ops/attention.ts';
import { reshape } from '../onnx/ops/shape.ts';
import { headWidthOf, patchesOf } from './config.ts';
import type { Parts } from './parts.ts';
import { temporalAngles } from './rotary.ts';

export interface Timeline {
  /** Side F of the layouts of parts.ts. */
  readonly frames: number;
  /** Rows of all frames, clip after clip -> [B, frames, width]: the frames of a clip behind each other. */
  readonly perClip: (rows: Value, width: number) => Value;
  /** temp_embed of each frame's place in the window, [1 or B, F, 1, D]. */
  readonly places: Value;
  /** Rotary embedding of each frame's place. */
  readonly rotary: RotaryTables;
  /** Which frames a frame sees, [1, 1, frames, seen]; null: all. */
  readonly mask: Value | null;
  /** With cross-attention: whose actions a token sees, [1, 1, frames * P, seen]; null: all. */
  readonly actionMask: Value | null;
  /** What the computed frames are seen by, [B, frames, width] -> that of all frames that are seen. */
  readonly seen: (name: string, computed: Value) => Value;
}

/** All frames of a window, computed together. */
export function windowTimeline(parts: Parts): Timeline {
  const { graph, config } = parts;
  const { frames, causal, injection } = config;
  const patches = patchesOf(config);
  const seesActions = (token: number, frame: number) => frame <= Math.floor(token / patches);
  return {
    frames,
    perClip: (rows, width) => reshape(graph, rows, [-1, frames, width]),
    places: placeTable(parts),
    rotary: rotaryTable(parts),
    mask: causal ? attentionBias(graph, 'causal', frames, frames, (q, k) => k <= q) : null,
    actionMask:
      causal && injection === 'cross_attention'
        ? attentionBias(graph, 'causal.actions', frames * patches, frames, seesActions)
        : null,
    seen: (_name, computed) => computed,
  };
}

/** temp_embed of every place in the window, [1, F, 1, D]. */
export function placeTable({ graph, config, weights }: Parts): Value {
  const { frames, width } = config;
  return graph.constant('temp_embed', weights.get('temp_embed', [1, frames, width]), [1, frames, 1, width]);
}

/** Rotary embedding of every place in the window, F rows. */
export function rotaryTable({ graph, config }: Parts): RotaryTables {
  const { frames } = config;
  return rotaryTables(graph, 'rotary.temporal', frames, temporalAngles(frames, headWidthOf(config)));
}
