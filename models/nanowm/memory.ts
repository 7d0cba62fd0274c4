/** Some frames of a window, computed beside what is remembered of others: the timeline of the `cached` graph. */
import type { Value } from '../onnx/graph.ts';
import { add } from '../onnx/ops/arithmetic.ts';
import { expand, hideLater, rowsOf, sidesOf } from '../onnx/ops/dynamic.ts';
import { concat, reshape } from '../onnx/ops/shape.ts';
import { patchesOf } from './config.ts';
import type { NanowmConfig } from './config.ts';
import type { Parts } from './parts.ts';
import { placeTable, rotaryTable } from './timeline.ts';
import type { Timeline } from './timeline.ts';

/** What later frames see of a frame in one place of the network. */
export interface Memory {
  /** The output that gives it of the computed frames, [B, N, width]. */
  readonly name: string;
  /** The input that takes it of remembered frames, [B, K, width]. */
  readonly past: string;
  readonly width: number;
}

/** The position of a memory slot that holds nothing: behind every frame, so that none sees it. */
export const NOWHERE = 2 ** 20;

/**
 * The memories of a model, in the order of its blocks: `key_<i>` and `value_<i>` of each temporal block i = 1,
 * 3, ... (all patches of a frame in one row), and with cross-attention `action_key_<i>` and `action_value_<i>`.
 */
export function memoriesOf(config: NanowmConfig): Memory[] {
  const { depth, width, injection } = config;
  const memories: Memory[] = [];
  const remember = (name: string, side: number) => memories.push({ name, past: `past_${name}`, width: side });
  for (let block = 1; block < depth; block += 2) {
    remember(`key_${block}`, patchesOf(config) * width);
    remember(`value_${block}`, patchesOf(config) * width);
    if (injection !== 'cross_attention') continue;
    remember(`action_key_${block}`, width);
    remember(`action_value_${block}`, width);
  }
  return memories;
}

export interface Placed {
  /** Anything of sides [B, N]. */
  readonly timesteps: Value;
  /** Places in the window: of the computed frames [N], of the remembered ones [K]. */
  readonly positions: Value;
  readonly past: Value;
}

/** N frames of each clip at any places. Each stands by itself, [B * N, 1, P, D], but where it looks at others. */
export function memoryTimeline(parts: Parts, placed: Placed): Timeline {
  const { graph, config } = parts;
  const { positions, past } = placed;
  const clips = sidesOf(graph, placed.timesteps); // B, N
  const sides = concat(graph, [clips, graph.ints([-1])], 0);
  const everywhere = expand(graph, positions, clips); // [B, N]
  const places = rowsOf(graph, placeTable(parts), everywhere, 1); // [1, B, N, 1, D]
  const { cosines, sines } = rotaryTable(parts);
  const mask = hideLater(graph, positions, concat(graph, [past, positions], 0)); // [1, 1, N, K + N]
  const memories = new Map(memoriesOf(config).map((memory) => [memory.name, memory]));
  return {
    frames: 1,
    perClip: (rows) => graph.node('Reshape', [rows, sides]),
    places: reshape(graph, places, [-1, 1, 1, config.width]),
    rotary: {
      cosines: rowsOf(graph, cosines, positions, 0),
      sines: rowsOf(graph, sines, positions, 0),
    },
    mask,
    actionMask: config.injection === 'cross_attention' ? perPatch(parts, mask) : null,
    seen: (name, computed) => {
      const { past: input, width } = memories.get(name)!;
      graph.output(name, computed, ['batch', 'frames', width]);
      return concat(graph, [graph.input(input, ['batch', 'past', width]), computed], 1);
    },
  };
}

/** [1, 1, N, seen] -> [1, 1, N * P, seen]: each frame's row once for each of its patches. */
function perPatch({ graph, config }: Parts, mask: Value): Value {
  const patches = patchesOf(config);
  const spread = reshape(graph, graph.filled(patches, 0), [1, 1, patches, 1]);
  const rows = add(graph, reshape(graph, mask, [1, -1, 1, 0]), spread); // [1, N, P, seen]
  return reshape(graph, rows, [1, 1, -1, 0]);
}
