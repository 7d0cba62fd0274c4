import { describe, expect, it } from 'vitest';
import type { Tensor } from '../array/tensor.ts';
import { openCheckpoints } from './sharded.ts';
import { writeSafetensors } from './safetensors.ts';
import { sourceOfBytes } from './source.ts';

const tensor = (value: number): Tensor => ({ dtype: 'float32', shape: [1], data: Float32Array.of(value) });
const shard = (number: number, tensors: Record<string, Tensor>) =>
  sourceOfBytes(writeSafetensors(tensors), `m/model-0000${number}-of-00002.safetensors`);
const index = (map: unknown) =>
  sourceOfBytes(new TextEncoder().encode(JSON.stringify({ weight_map: map })), 'm/model.index.json');

const [one, two] = [shard(1, { a: tensor(1) }), shard(2, { b: tensor(2) })];
const [first, second] = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];

describe('a checkpoint in shards', () => {
  it.each([
    ['with its index', [two, index({ a: first, b: second }), one]],
    ['without', [one, two]],
  ])('is one set of weights %s', (_, sources) => {
    const { weights, format } = openCheckpoints(sources);
    expect(format).toBe('safetensors');
    expect([...weights.names].sort()).toEqual(['a', 'b']);
    expect([weights.get('a').data[0], weights.get('b').data[0]]).toEqual([1, 2]);
  });

  it('names the shards that are missing, with or without the index', () => {
    expect(() => openCheckpoints([one])).toThrow(`missing files: ${second}; the checkpoint is in several`);
    expect(() => openCheckpoints([one, index({ a: first, b: second })])).toThrow(`missing files: ${second}`);
    expect(() => openCheckpoints([index({ a: first })])).toThrow('missing weights');
  });

  it('takes each weight from the file that the index says, and misses it there', () => {
    const stale = shard(2, { a: tensor(9), b: tensor(2) });
    expect(openCheckpoints([one, stale, index({ a: first, b: second })]).weights.get('a').data[0]).toBe(1);
    expect(() => openCheckpoints([one, stale])).toThrow('invalid weight: a in m/model-00002');
    expect(() => openCheckpoints([one, two, index({ a: second, b: second })])).toThrow(
      `missing weight: a in ${second}; the index says it is there`,
    );
  });

  it('refuses an index that is none, or that names places elsewhere', () => {
    expect(() => openCheckpoints([one, two, index(null)])).toThrow('invalid index field: weight_map');
    for (const place of ['../model.safetensors', '/etc/passwd', 'a\\b', '..']) {
      expect(() => openCheckpoints([one, two, index({ a: place })])).toThrow('invalid place of weights');
    }
  });

  it('is one file where there is one', () => {
    const whole = sourceOfBytes(writeSafetensors({ a: tensor(1) }), 'model.safetensors');
    expect(openCheckpoints([whole]).weights.names).toEqual(['a']);
  });
});
