/**
 * The `window` graph (design.md section 3): x [B, F, C, H, W], timesteps [B, F], actions [B, F, A] ->
 * output [B, F, C, H, W]. B is known at run time only. The mathematics is facts/nanowm.md section 1.
 */
import { Graph } from '../onnx/graph.ts';
import type { Value } from '../onnx/graph.ts';
import type { Storage } from '../onnx/initialiser.ts';
import { add, silu } from '../onnx/ops/arithmetic.ts';
import { serialise } from '../onnx/serialise.ts';
import { spatialAxis, temporalAxis } from './attention.ts';
import { block } from './block.ts';
import { conditionsOf } from './conditions.ts';
import type { NanowmConfig } from './config.ts';
import { embedActions, embedPatches, embedTimesteps } from './embed.ts';
import { finalLayer } from './final.ts';
import type { Build } from './parts.ts';
import type { NanowmWeights } from './weights.ts';

export interface GraphOptions {
  /** How weight matrices are kept in the file; float32 when left out. The graph computes in float32. */
  readonly storage?: Storage;
}

/** The graph, not yet a file. @throws one sentence when a weight is missing, misshapen or not finite. */
export function windowGraph(config: NanowmConfig, weights: NanowmWeights, options: GraphOptions = {}): Graph {
  const graph = new Graph('window');
  const build: Build = { graph, config, weights, storage: options.storage ?? 'float32' };
  const { frames, channels, latentHeight, latentWidth, actionWidth } = config;
  const latents = ['batch', frames, channels, latentHeight, latentWidth];
  const x = graph.input('x', latents);
  const timesteps = graph.input('timesteps', ['batch', frames]);
  const actions = graph.input('actions', ['batch', frames, actionWidth]);

  const time = embedTimesteps(build, timesteps);
  const activatedTime = silu(graph, time);
  const action = embedActions(build, actions);
  const conditions = conditionsOf(build, time, activatedTime, action);
  const offsets = blockOffsets(build, action);
  const axes = [spatialAxis(build), temporalAxis(build)];
  let tokens = embedPatches(build, x);
  for (let index = 0; index < config.depth; index++) {
    const place = { index, axis: axes[index % 2]!, offset: offsets[index] ?? null };
    tokens = block(build, place, tokens, conditions);
  }
  graph.output('output', finalLayer(build, tokens, activatedTime), latents);
  return graph;
}

/** The `window` graph as one file. @throws as `windowGraph`. */
export function buildWindow(
  config: NanowmConfig,
  weights: NanowmWeights,
  options: GraphOptions = {},
): Uint8Array {
  return serialise(windowGraph(config, weights, options)).model;
}

/**
 * What is added to every token of a frame before each block: the frame's place in the window before the
 * first temporal block, and the action before every block when it is additive. [B, F, 1, D] each.
 */
function blockOffsets({ graph, config, weights }: Build, action: Value): (Value | null)[] {
  const { frames, width, depth, injection } = config;
  const embedding = weights.get('temp_embed', [1, frames, width]);
  const everywhere = injection === 'additive' ? action : null;
  const offsets: (Value | null)[] = new Array<Value | null>(depth).fill(everywhere);
  if (depth > 1) {
    const place = graph.constant('temp_embed', embedding, [1, frames, 1, width]);
    offsets[1] = everywhere === null ? place : add(graph, everywhere, place);
  }
  return offsets;
}
