/** From the graph's inputs to tokens and to one vector a frame. */
import type { Value } from '../onnx/graph.ts';
import { add, silu } from '../onnx/ops/arithmetic.ts';
import { beyondFirst, rowsOf } from '../onnx/ops/dynamic.ts';
import { padWithZeros, reshape, slice, transpose } from '../onnx/ops/shape.ts';
import { patchesOf } from './config.ts';
import { apply, asFrames, asTokens, layerOf } from './parts.ts';
import type { Build } from './parts.ts';
import type { NanowmWeights } from './weights.ts';
import { SINUSOID_WIDTH, TIMESTEPS, timestepTable } from './timesteps.ts';

/** x [B, F, C, H, W] -> tokens [B, F, P, D], with their place in the frame added. */
export function embedPatches(build: Build, x: Value): Value {
  const { graph, config, weights } = build;
  const { channels, patch, width, latentHeight, latentWidth } = config;
  const inputs = channels * patch * patch;
  const kernel = () => weights.get('x_embedder.proj.weight', [width, channels, patch, patch]); // [D, C * p * p]
  const bias = weights.get('x_embedder.proj.bias', [width]);
  const grid = reshape(graph, x, [-1, channels, latentHeight / patch, patch, latentWidth / patch, patch]);
  const patches = transpose(graph, grid, [0, 2, 4, 1, 3, 5]); // [B * F, h, w, C, p, p]
  const layer = { name: 'x_embedder.proj', inputs, outputs: width, weight: kernel, bias };
  const places = weights.get('pos_embed', [1, patchesOf(config), width]);
  const place = graph.constant('pos_embed', places, [1, 1, patchesOf(config), width]);
  return add(graph, asTokens(build, apply(build, patches, layer), width), place);
}

/** timesteps [B, F], whole numbers from 0 to 999 -> [B, F, 1, D]. */
export function embedTimesteps(build: Build, timesteps: Value): Value {
  const { graph, config } = build;
  const { width } = config;
  const table = tableOf(build);
  const rows = graph.weight('t_embedder.table', () => table, [TIMESTEPS, width]);
  return asFrames(build, rowsOf(graph, rows, timesteps, 0), width);
}

/** Graphs of the same weights share the table, which takes a second to compute. */
const tables = new WeakMap<NanowmWeights, Float32Array>();

function tableOf(build: Build): Float32Array {
  const { weights, config } = build;
  const known = tables.get(weights);
  if (known) return known;
  const table = timestepTable(
    layerOf(build, 't_embedder.mlp.0', SINUSOID_WIDTH, config.width),
    layerOf(build, 't_embedder.mlp.2', config.width, config.width),
  );
  tables.set(weights, table);
  return table;
}

/**
 * actions [B, F, A] of a whole window -> [B, F, 1, D]: frame f has the embedding of action f - 1, frame 0 has
 * zeros. The last action is never looked at.
 */
export function embedActions(build: Build, actions: Value): Value {
  const { graph, config } = build;
  const { frames, width } = config;
  const earlier = slice(graph, actions, 1, 0, frames - 1); // [B, F - 1, A]
  const embedded = reshape(graph, embedRows(build, earlier), [-1, frames - 1, 1, width]);
  return padWithZeros(graph, embedded, [0, 1, 0, 0], [0, 0, 0, 0]); // [B, F, 1, D]
}

/** actions [B, N, A], the one before each frame, positions [N] -> [B * N, 1, 1, D]: zeros at position 0. */
export function embedEarlierActions(build: Build, actions: Value, positions: Value): Value {
  const { graph, config, time } = build;
  const { width } = config;
  const embedded = time.perClip(embedRows(build, actions), width); // [B, N, D]
  return asFrames(build, beyondFirst(graph, embedded, reshape(graph, positions, [-1, 1])), width);
}

/** Any layout of actions -> [rows, D]. */
function embedRows(build: Build, actions: Value): Value {
  const { actionWidth, width } = build.config;
  const first = layerOf(build, 'action_embedder.mlp.0', actionWidth, width);
  const hidden = silu(build.graph, apply(build, actions, first));
  return apply(build, hidden, layerOf(build, 'action_embedder.mlp.2', width, width));
}
