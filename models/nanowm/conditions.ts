/** What the blocks know about each frame beside its tokens: its noise level and its action. */
import type { Value } from '../onnx/graph.ts';
import { add, silu } from '../onnx/ops/arithmetic.ts';
import { concat } from '../onnx/ops/shape.ts';
import type { Build } from './parts.ts';

export interface Conditions {
  /** What the blocks' modulation layers take: [B, F, 1, D], with adaln [B, F, 1, 2 * D]. */
  readonly modulator: Value;
  /** The shifted action embedding [B, F, 1, D]; with adaln and film after its SiLU. */
  readonly action: Value;
}

/** `time` and `activatedTime` (its SiLU) and the shifted `action` embedding, all [B, F, 1, D]. */
export function conditionsOf(build: Build, time: Value, activatedTime: Value, action: Value): Conditions {
  const { graph, config } = build;
  switch (config.injection) {
    case 'adaln_fuse':
      return { modulator: silu(graph, add(graph, time, action)), action };
    case 'adaln': {
      const activated = silu(graph, action);
      return { modulator: concat(graph, [activatedTime, activated], 3), action: activated };
    }
    case 'film':
      return { modulator: activatedTime, action: silu(graph, action) };
    case 'cross_attention':
    case 'additive':
      return { modulator: activatedTime, action };
  }
}
