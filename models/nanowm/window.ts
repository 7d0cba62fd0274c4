/**
 * The `window` graph (design.md section 3): x [B, F, C, H, W], timesteps [B, F], actions [B, F, A] ->
 * output [B, F, C, H, W]. B is known at run time only. The mathematics is facts/nanowm.md section 1.
 */
import type { Graph } from '../onnx/graph.ts';
import { serialise } from '../onnx/serialise.ts';
import type { NanowmConfig } from './config.ts';
import { embedActions } from './embed.ts';
import { network } from './network.ts';
import { startGraph } from './parts.ts';
import type { GraphOptions } from './parts.ts';
import { windowTimeline } from './timeline.ts';
import type { NanowmWeights } from './weights.ts';

/** The graph, not yet a file. @throws one sentence when a weight is missing, misshapen or not finite. */
export function windowGraph(config: NanowmConfig, weights: NanowmWeights, options: GraphOptions = {}): Graph {
  const parts = startGraph('window', config, weights, options);
  const { graph } = parts;
  const { frames, channels, latentHeight, latentWidth, actionWidth } = config;
  const latents = ['batch', frames, channels, latentHeight, latentWidth];
  const x = graph.input('x', latents);
  const timesteps = graph.input('timesteps', ['batch', frames]);
  const actions = graph.input('actions', ['batch', frames, actionWidth]);

  const build = { ...parts, time: windowTimeline(parts) };
  const inputs = { x, timesteps, action: embedActions(build, actions) };
  graph.output('output', network(build, inputs), latents);
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
