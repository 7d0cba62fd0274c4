import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { weightsOf } from '../../models/files/weights.ts';
import { nanowmConfig } from '../../models/nanowm/config.ts';
import { openNanowm } from '../../models/nanowm/weights.ts';
import { windowGraph } from '../../models/nanowm/window.ts';
import { Graph } from '../../models/onnx/graph.ts';
import { linear } from '../../models/onnx/ops/linear.ts';
import { decode, encode, scalesOf } from '../../models/onnx/quantise.ts';
import type { Storage } from '../../models/onnx/storage.ts';
import { serialise } from '../../models/onnx/serialise.ts';
import { exampleWeights, tensor } from '../../models/testing/nanowm.ts';
import { hasNative, RUNTIMES } from '../testing/runtimes.ts';
import type { Feeds } from '../session.ts';
import { openSession } from './session.ts';
import type { OpenOptions } from './session.ts';

function graph(storage: Storage = 'fp32'): Graph {
  const weights = openNanowm(weightsOf(exampleWeights()));
  return windowGraph(nanowmConfig(weights), weights, { storage });
}

const feeds = {
  x: tensor([2, 3, 4, 4, 4]),
  timesteps: { dtype: 'float32', shape: [2, 3], data: Float32Array.of(0, 20, 999, 5, 5, 5) } as const,
  actions: tensor([2, 3, 2]),
};

async function run(
  model: Uint8Array,
  options: OpenOptions = { runtime: 'wasm' },
  inputs: Feeds = feeds,
): Promise<Float32Array> {
  const session = await openSession(model, options);
  const { output } = await session.run(inputs);
  await session.release();
  return output!.data as Float32Array;
}

describe('a session in Node', () => {
  test.skipIf(!hasNative)('gives the same on WASM and on onnxruntime-node', async () => {
    const { model } = serialise(graph());
    expect(await run(model, { runtime: 'node' })).toBeCloseTensor(await run(model), {
      relativeToLargest: 2e-5,
    });
  });

  test('opens weights that lie beside the model', async () => {
    const { model } = serialise(graph());
    const apart = serialise(graph(), { externalData: { prefix: 'window', maxShardBytes: 32_000 } });
    expect(apart.shards.length).toBeGreaterThan(1);
    expect(await run(apart.model, { runtime: 'wasm', shards: apart.shards })).toBeCloseTensor(
      await run(model),
    );
  });

  test.skipIf(!hasNative)(
    'opens weights that lie in files beside the model with onnxruntime-node',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'session-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const { model, shards } = serialise(graph(), {
        externalData: { prefix: 'window', maxShardBytes: 32_000 },
      });
      const path = join(folder, 'window.onnx');
      writeFileSync(path, model);
      for (const shard of shards) writeFileSync(join(folder, shard.path), shard.data);
      const inside = await run(serialise(graph()).model, { runtime: 'node' });
      expect(await run(model, { runtime: 'node', path, shards })).toBeCloseTensor(inside);
    },
  );

  test('computes in float32 from weights that are stored in half precision', async () => {
    const [half, full] = [await run(serialise(graph('fp16')).model), await run(serialise(graph()).model)];
    expect(half).not.toEqual(full);
    expect(half).toBeCloseTensor(full, { relativeToLargest: 5e-3 });
  });

  test.each(RUNTIMES.flatMap((runtime) => [4, 8].map((bits) => ({ runtime, bits: bits as 4 | 8 }))))(
    'multiplies with what $bits bits stand for ($runtime)',
    async ({ runtime, bits }) => {
      const [inputs, outputs] = [96, 40];
      const weight = tensor([outputs, inputs]).data as Float32Array;
      const layer = (storage: Storage, values: Float32Array) => {
        const made = new Graph('layer', storage);
        const y = linear(made, made.input('x', ['rows', inputs]), {
          name: 'layer',
          inputs,
          outputs,
          weight: () => values,
          bias: new Float32Array(outputs).fill(0.25),
        });
        made.output('output', y, ['rows', outputs]);
        return serialise(made).model;
      };
      const scales = scalesOf(weight, bits);
      const stood = decode(encode(weight, scales, bits), scales, bits);
      const x = { x: tensor([7, inputs]) };
      const expected = await run(layer('fp32', stood), { runtime }, x);
      expect(await run(layer(`q${bits}`, weight), { runtime }, x)).toBeCloseTensor(expected, {
        relativeToLargest: 1e-5,
      });
    },
  );

  test('gives an item of a batch what it gives the item alone', async () => {
    const { model } = serialise(graph());
    const alone = {
      x: tensor([1, 3, 4, 4, 4]),
      timesteps: { ...feeds.timesteps, shape: [1, 3], data: feeds.timesteps.data.slice(0, 3) },
      actions: tensor([1, 3, 2]),
    };
    const both = await run(model);
    expect(await run(model, { runtime: 'wasm' }, alone)).toBeCloseTensor(both.subarray(0, both.length / 2), {
      relativeToLargest: 1e-6,
    });
  });

  test('lets no action or later frame change the frames before it', async () => {
    const { model } = serialise(graph());
    const x = { ...feeds.x, data: feeds.x.data.slice() };
    const actions = { ...feeds.actions, data: feeds.actions.data.slice() };
    x.data.fill(9, 2 * 64, 3 * 64); // the last frame of the first item
    actions.data.fill(9, 2, 6); // actions 1 and 2 of the first item: frame 2 is the first to know
    const [before, after] = [
      await run(model),
      await run(model, { runtime: 'wasm' }, { ...feeds, x, actions }),
    ];
    expect(after.subarray(0, 2 * 64)).toBeCloseTensor(before.subarray(0, 2 * 64), {
      relativeToLargest: 1e-6,
    });
    expect(after.subarray(2 * 64, 3 * 64)).not.toEqual(before.subarray(2 * 64, 3 * 64));
  });

  test('answers calls that are made at once, each with its own result', async () => {
    const session = await openSession(serialise(graph()).model, { runtime: 'wasm' });
    onTestFinished(() => session.release());
    const late = { ...feeds, timesteps: { ...feeds.timesteps, data: new Float32Array(6).fill(700) } };
    const [first, second, third] = await Promise.all([feeds, late, feeds].map((each) => session.run(each)));
    expect(third!.output!.data).toEqual(first!.output!.data);
    expect(second!.output!.data).not.toEqual(first!.output!.data);
  });

  test('says in one sentence what is wrong with an input', async () => {
    const session = await openSession(serialise(graph()).model, { runtime: 'wasm' });
    onTestFinished(() => session.release());
    const { x, timesteps } = feeds;
    await expect(session.run({ x, timesteps })).rejects.toThrow(
      /^missing input: actions; the graph takes x, timesteps, actions$/,
    );
    await expect(session.run({ ...feeds, x: tensor([2, 3, 4, 4]) })).rejects.toThrow(
      /^invalid input: [^\n]+$/,
    );
    await expect(session.run({ ...feeds, x: tensor([2, 3, 4, 4, 5]) })).rejects.toThrow(
      /^invalid input: [^\n;]*Got: 5 Expected: 4[^\n;]*; give the shapes that inspect prints[^\n;]*$/,
    );
    await expect(session.run({ ...feeds, x: tensor([0, 3, 4, 4, 4]) })).rejects.toThrow(
      "invalid input: 'x' of shape [0, 3, 4, 4, 4]; it holds no numbers; give some",
    );
    const beyond = { ...timesteps, data: new Float32Array(6).fill(1000) };
    await expect(session.run({ ...feeds, timesteps: beyond })).rejects.toThrow(
      /^invalid input: Gather: indices element out of data bounds, idx=1000 [^\n;]*; give the shapes [^\n;]*$/,
    );
    const bits = { dtype: 'bfloat16', shape: [1], data: new Uint16Array(1) } as const;
    await expect(session.run({ ...feeds, x: bits })).rejects.toThrow(/^unsupported dtype: bfloat16/);
    expect((await session.run(feeds)).output!.shape).toEqual([2, 3, 4, 4, 4]);
  });

  test.each(RUNTIMES)('makes one sentence of a model that is cut short (%s)', async (runtime) => {
    const { model } = serialise(graph());
    await expect(openSession(model.slice(0, model.length / 2), { runtime })).rejects.toThrow(
      /^invalid ONNX graph: [^\n]+$/,
    );
  });
});
