/** The network from its embedded inputs to its output (facts/nanowm.md section 1), the same in every graph. */
import type { Value } from '../onnx/graph.ts';
import { add, silu } from '../onnx/ops/arithmetic.ts';
import { spatialAxis, temporalAxis } from './attention.ts';
import { block } from './block.ts';
import { conditionsOf } from './conditions.ts';
import { embedPatches, embedTimesteps } from './embed.ts';
import { finalLayer } from './final.ts';
import type { Build } from './parts.ts';

export interface NetworkInputs {
  /** [B, frames, C, H, W]. */
  readonly x: Value;
  /** [B, frames]. */
  readonly timesteps: Value;
  /** Embedding of the action before each frame, zeros where there is none, [B, F, 1, D]. */
  readonly action: Value;
}

/** -> [B, frames, C, H, W]. */
export function network(build: Build, { x, timesteps, action }: NetworkInputs): Value {
  const { graph, config } = build;
  const time = embedTimesteps(build, timesteps);
  const activatedTime = silu(graph, time);
  const conditions = conditionsOf(build, time, activatedTime, action);
  const offsets = blockOffsets(build, action);
  const axes = [spatialAxis(build), temporalAxis(build)];
  let tokens = embedPatches(build, x);
  for (let index = 0; index < config.depth; index++) {
    const place = { index, axis: axes[index % 2]!, offset: offsets[index] ?? null };
    tokens = block(build, place, tokens, conditions);
  }
  return finalLayer(build, tokens, activatedTime);
}

/**
 * What is added to every token of a frame before each block: the frame's place in the window before the
 * first temporal block, and the action before every block when it is additive. [B, F, 1, D] each.
 */
function blockOffsets({ graph, config, time }: Build, action: Value): (Value | null)[] {
  const everywhere = config.injection === 'additive' ? action : null;
  const offsets: (Value | null)[] = new Array<Value | null>(config.depth).fill(everywhere);
  if (config.depth > 1) {
    offsets[1] = everywhere === null ? time.places : add(graph, everywhere, time.places);
  }
  return offsets;
}
