/** One block: attention and feed-forward under adaptive layer norm, with the action put in. */
import type { Value } from '../onnx/graph.ts';
import { add, multiply } from '../onnx/ops/arithmetic.ts';
import { overBoth } from '../onnx/ops/linear.ts';
import { selfAttention } from './attention.ts';
import type { Axis } from './attention.ts';
import type { Conditions } from './conditions.ts';
import { crossAttention } from './cross-attention.ts';
import { feedForward } from './mlp.ts';
import { modulated, modulation } from './modulation.ts';
import { layerOf } from './parts.ts';
import type { Build } from './parts.ts';

export interface BlockPlace {
  readonly index: number;
  readonly axis: Axis;
  /** Added to every token of a frame before the block; null adds nothing. */
  readonly offset: Value | null;
}

/** x [B, F, P, D] -> [B, F, P, D]. */
export function block(build: Build, place: BlockPlace, x: Value, conditions: Conditions): Value {
  const { graph, config } = build;
  const { injection } = config;
  const { index, axis } = place;
  const name = `blocks.${index}`;
  const [shift1, scale1, gate1, shift2, scale2, gate2] = blockModulation(build, name, conditions.modulator);
  const start = place.offset === null ? x : add(graph, x, place.offset);
  const attended = selfAttention(build, index, axis, modulated(build, start, scale1, shift1));
  const middle = add(graph, start, multiply(graph, attended, gate1));
  const filmed = injection === 'film' ? film(build, name, middle, conditions.action) : middle;
  const fed = feedForward(build, `${name}.mlp`, modulated(build, filmed, scale2, shift2));
  const end = add(graph, filmed, multiply(graph, fed, gate2));
  if (injection !== 'cross_attention') return end;
  return add(graph, end, crossAttention(build, index, axis.kind, end, conditions.action));
}

type Six = [Value, Value, Value, Value, Value, Value];

/** shift, scale and gate of the attention, then of the feed-forward part; the scales with their 1. */
function blockModulation(build: Build, name: string, modulator: Value): Six {
  const { width, injection } = build.config;
  const ofTime = layerOf(build, `${name}.adaLN_modulation.1`, width, 6 * width);
  const layer =
    injection === 'adaln'
      ? overBoth(ofTime, layerOf(build, `${name}.action_adaLN_modulation.1`, width, 6 * width))
      : ofTime;
  return modulation(build, modulator, layer, 6, [1, 4]) as Six;
}

/** (1 + gamma) x + beta, gamma and beta from the action. */
function film(build: Build, name: string, x: Value, action: Value): Value {
  const { graph, config } = build;
  const layer = layerOf(build, `${name}.film_modulation.1`, config.width, 2 * config.width);
  const [gamma, beta] = modulation(build, action, layer, 2, [0]) as [Value, Value];
  return add(graph, multiply(graph, x, gamma), beta);
}
