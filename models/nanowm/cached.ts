/**
 * The `cached` graph (design.md section 3) of a causal model: N frames of a window beside what is remembered
 * of K others. B, N and K are known at run time only; K is at least 1.
 *
 * x [B, N, C, H, W], timesteps [B, N], positions [N] (places in the window, whole numbers from 0),
 * actions [B, N, A] (row: the action before the frame; at position 0 it is not looked at),
 * past_positions [K] (NOWHERE for a slot that holds nothing), and the memories of `memoriesOf`, [B, K, width]
 * -> output [B, N, C, H, W], and the memories of the computed frames, [B, N, width].
 *
 * A frame sees itself and, of the computed and the remembered frames, those before it.
 */
import { unsupported } from '../errors.ts';
import type { Graph } from '../onnx/graph.ts';
import { serialise } from '../onnx/serialise.ts';
import type { NanowmConfig } from './config.ts';
import { embedEarlierActions } from './embed.ts';
import { memoryTimeline } from './memory.ts';
import { network } from './network.ts';
import { startGraph } from './parts.ts';
import type { GraphOptions } from './parts.ts';
import type { NanowmWeights } from './weights.ts';

/**
 * The graph, not yet a file.
 * @throws one sentence when the model is not causal, or a weight is missing, misshapen or not finite.
 */
export function cachedGraph(config: NanowmConfig, weights: NanowmWeights, options: GraphOptions = {}): Graph {
  if (!config.causal) {
    throw unsupported('model', 'not causal', 'its frames depend on later ones; use the window graph');
  }
  const parts = startGraph('cached', config, weights, options);
  const { graph } = parts;
  const { channels, latentHeight, latentWidth, actionWidth } = config;
  const latents = ['batch', 'frames', channels, latentHeight, latentWidth];
  const x = graph.input('x', latents);
  const timesteps = graph.input('timesteps', ['batch', 'frames']);
  const positions = graph.input('positions', ['frames']);
  const actions = graph.input('actions', ['batch', 'frames', actionWidth]);
  const past = graph.input('past_positions', ['past']);
  const build = { ...parts, time: memoryTimeline(parts, { timesteps, positions, past }) };
  const action = embedEarlierActions(build, actions, positions);
  graph.output('output', network(build, { x, timesteps, action }), latents);
  return graph;
}

/** The `cached` graph as one file. @throws as `cachedGraph`. */
export function buildCached(
  config: NanowmConfig,
  weights: NanowmWeights,
  options: GraphOptions = {},
): Uint8Array {
  return serialise(cachedGraph(config, weights, options)).model;
}
