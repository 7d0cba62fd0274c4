import { describe, expect, test } from 'vitest';
import { Graph } from './graph.ts';
import { add, multiply, silu } from './ops/arithmetic.ts';
import { reshape } from './ops/shape.ts';
import { readOnnx } from './reader.ts';
import { pack, serialise, weightBytes } from './serialise.ts';
import type { Storage } from './storage.ts';

/** y = silu(x * weight) + bias, x [batch, 600]. */
function example(storage: Storage = 'fp32', scale = 1): Graph {
  const graph = new Graph('example', storage);
  const x = graph.input('x', ['batch', 600]);
  const values = Float32Array.from({ length: 600 }, (_, i) => i * scale);
  const weight = graph.weight('weight', () => values, [600]);
  const bias = graph.constant('bias', new Float32Array(600), [600]);
  const flat = reshape(graph, silu(graph, multiply(graph, x, weight)), [-1, 600]);
  graph.output('y', add(graph, flat, bias), ['batch', 600]);
  return graph;
}

describe('an ONNX file', () => {
  test('says what is in it', () => {
    const summary = readOnnx(serialise(example()).model);
    expect(summary).toMatchObject({
      graph: 'example',
      opsets: { '': 21, 'com.microsoft': 1 },
      inputs: [{ name: 'x', dtype: 'float32', shape: ['batch', 600] }],
      outputs: [{ name: 'y', dtype: 'float32', shape: ['batch', 600] }],
      opCounts: { Add: 1, Mul: 1, Reshape: 1, 'com.microsoft.QuickGelu': 1 },
      weightBytes: 600 * 4 + 600 * 4 + 2 * 8,
    });
    expect(summary.nodes.at(-1)).toMatchObject({ op: 'Add', inputs: ['Reshape_2', 'bias'], outputs: ['y'] });
  });

  test('is the same, byte for byte, for the same calls', () => {
    expect(serialise(example()).model).toEqual(serialise(example()).model);
  });

  test('keeps float16 weights behind a cast', () => {
    const { initialisers, opCounts } = readOnnx(serialise(example('fp16')).model);
    expect(initialisers.find(({ name }) => name === 'weight')).toMatchObject({
      dtype: 'float16',
      byteLength: 1200,
    });
    expect(opCounts).toMatchObject({ Cast: 1 });
  });

  test('keeps a weight in float32 when half precision cannot hold it', () => {
    const { initialisers } = readOnnx(serialise(example('fp16', 200)).model);
    expect(initialisers.find(({ name }) => name === 'weight')).toMatchObject({ dtype: 'float32' });
  });

  test('stores equal constants once', () => {
    const graph = new Graph('constants');
    expect(graph.ints([-1, 4])).toBe(graph.ints([-1, 4]));
    expect(graph.filled(8, 1)).toBe(graph.filled(8, 1));
    expect(graph.filled(8, 1)).not.toBe(graph.filled(8, 0));
    expect(graph.initialisers).toHaveLength(3);
  });

  test('refuses a name that is taken, a weight that is not finite and one of another size', () => {
    const graph = new Graph('wrong', 'fp16');
    graph.constant('a', Float32Array.of(1), [1]);
    expect(() => graph.constant('a', Float32Array.of(1), [1])).toThrow(/^invalid value name: a/);
    expect(() => graph.constant('b', Float32Array.of(1, NaN), [2])).toThrow(/^invalid weight: NaN in 'b'/);
    expect(() => graph.weight('c', () => Float32Array.of(-Infinity), [1])).toThrow(
      /^invalid weight: -Infinity/,
    );
    expect(() => graph.constant('d', new Float32Array(3), [2, 2])).toThrow(
      /3 values where the shape \[2, 2\] needs 4/,
    );
  });
});

describe('external weights', () => {
  const options = { externalData: { prefix: 'example', maxShardBytes: 2500 } };

  test('lie in shards of at most the given size, where the model says', () => {
    const { model, shards } = serialise(example(), options);
    expect(shards.map(({ path, data }) => [path, data.length])).toEqual([
      ['example.0.bin', 2400],
      ['example.1.bin', 2400],
    ]);
    const external = readOnnx(model).initialisers.map(({ name, external: place }) => [name, place] as const);
    expect(Object.fromEntries(external)).toEqual({
      weight: { path: 'example.0.bin', offset: 0 },
      bias: { path: 'example.1.bin', offset: 0 },
      'ints_-1_600': null,
    });
    const stored = new Float32Array(shards[0]!.data.buffer);
    expect(stored[599]).toBe(599);
  });

  test('stand at multiples of 64 bytes within a shard', () => {
    const wide = { externalData: { prefix: 'example', maxShardBytes: 10000 } };
    const { model, shards } = serialise(example(), wide);
    expect(shards).toHaveLength(1);
    const offsets = readOnnx(model).initialisers.flatMap(({ external: place }) => place?.offset ?? []);
    expect(offsets).toEqual([0, 2432]);
  });

  test('make one sentence when a single weight is larger than a shard', () => {
    const tight = { externalData: { prefix: 'example', maxShardBytes: 2000 } };
    expect(() => serialise(example(), tight)).toThrow(
      /^unsupported weight size: weight; it needs 2400 bytes/,
    );
  });
});

describe('graphs that share their weights', () => {
  /** y = x * weight, under another graph's name. */
  function other(name: string, width = 600): Graph {
    const graph = new Graph(name);
    const x = graph.input('x', ['batch', width]);
    const weight = graph.weight('weight', () => new Float32Array(width).fill(1), [width]);
    graph.output('y', multiply(graph, x, weight), ['batch', width]);
    return graph;
  }

  test('store each once, in shards that come before them', () => {
    const graphs = [example(), other('other')];
    const files = [...pack(graphs, 'both')];
    expect(files.map(({ name, externalDataOf }) => [name, externalDataOf])).toEqual([
      ['both.0.bin', ['example.onnx', 'other.onnx']],
      ['example.onnx', []],
      ['other.onnx', []],
    ]);
    const places = files
      .slice(1)
      .map(({ bytes }) => readOnnx(bytes).initialisers.find(({ name }) => name === 'weight')!.external);
    expect(places).toEqual([
      { path: 'both.0.bin', offset: 0 },
      { path: 'both.0.bin', offset: 0 },
    ]);
    expect(weightBytes(graphs)).toBe(600 * 4 + 600 * 4 + 2 * 8);
  });

  test('may not mean two things by one name', () => {
    expect(() => [...pack([example(), other('other', 300)], 'both')]).toThrow(
      'invalid weight: weight; two graphs that share their weights mean different ones by it',
    );
  });

  test('are one file when there is one graph that is small', () => {
    expect([...pack([example()], 'example')].map(({ name }) => name)).toEqual(['example.onnx']);
  });
});

describe('a damaged file', () => {
  const { model } = serialise(example());

  test.each([1, 5, 100, 3000, model.length - 1])('cut after %i bytes makes one sentence', (length) => {
    expect(() => readOnnx(model.subarray(0, length))).toThrow(/^invalid ONNX file: [^\n]+$/);
  });

  test('of another kind makes one sentence', () => {
    expect(() => readOnnx(new TextEncoder().encode('<!doctype html><title>404</title>'))).toThrow(
      /^invalid ONNX file/,
    );
    expect(() => readOnnx(new Uint8Array(0))).toThrow(/^invalid ONNX file: no graph/);
  });
});
