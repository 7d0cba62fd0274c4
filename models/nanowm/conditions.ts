/** What the blocks know about each frame beside its tokens: its noise level and its action. */
import type { Value } from '../onnx/graph.ts';
import { add, silu } from '../onnx/ops/arithmetic.ts';
import { attentionBias } from '../onnx/ops/attention.ts';
import { concat } from '../onnx/ops/shape.ts';
import { patchesOf } from './config.ts';
import type { Build } from './parts.ts';

export interface Conditions {
  /** What the blocks' modulation layers take: [B, F, 1, D], with adaln [B, F, 1, 2 * D]. */
  readonly modulator: Value;
  /** The shifted action embedding [B, F, 1, D]; with adaln and film after its SiLU. */
  readonly action: Value;
  /** With causal cross-attention: which frames' actions a token may see, [1, 1, F * P, F]. */
  readonly actionMask: Value | null;
}

/** `time` and `activatedTime` (its SiLU) and the shifted `action` embedding, all [B, F, 1, D]. */
export function conditionsOf(build: Build, time: Value, activatedTime: Value, action: Value): Conditions {
  const { graph, config } = build;
  switch (config.injection) {
    case 'adaln_fuse':
      return { modulator: silu(graph, add(graph, time, action)), action, actionMask: null };
    case 'adaln': {
      const activated = silu(graph, action);
      return { modulator: concat(graph, [activatedTime, activated], 3), action: activated, actionMask: null };
    }
    case 'film':
      return { modulator: activatedTime, action: silu(graph, action), actionMask: null };
    case 'cross_attention':
      return { modulator: activatedTime, action, actionMask: config.causal ? causalActions(build) : null };
    case 'additive':
      return { modulator: activatedTime, action, actionMask: null };
  }
}

function causalActions({ graph, config }: Build): Value {
  const patches = patchesOf(config);
  const visible = (token: number, frame: number) => frame <= Math.floor(token / patches);
  return attentionBias(graph, 'causal.actions', config.frames * patches, config.frames, visible);
}
