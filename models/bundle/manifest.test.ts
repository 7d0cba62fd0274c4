import { describe, expect, it } from 'vitest';
import { exampleManifest } from '../testing/manifest.ts';
import { networkActions } from './actions.ts';
import { filesOfGraph, graphsOf, parseManifest } from './manifest.ts';

type Json = Record<string, unknown>;

/** The example with one field, given by its dotted path, set or (undefined) removed. */
function changed(path: string, value?: unknown): Json {
  const manifest = structuredClone(exampleManifest()) as Json;
  const keys = path.split('.');
  const last = keys.pop()!;
  const parent = keys.reduce((object, key) => object[key] as Json, manifest);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return manifest;
}

describe('a manifest', () => {
  it('comes back as it is when all is well', () => {
    expect(parseManifest(exampleManifest())).toEqual(exampleManifest());
  });

  it('may hold a codec alone', () => {
    const codec = exampleManifest();
    for (const part of ['denoiser', 'diffusion', 'action']) Reflect.deleteProperty(codec, part);
    delete codec.files['window.onnx'];
    expect(graphsOf(parseManifest(codec))).toEqual(['encode.onnx', 'decode.onnx']);
  });

  it('may hold a denoiser of latents that no codec decodes, and then no codec', () => {
    expect(() => parseManifest(changed('denoiser.latents', 'webdino'))).toThrow(
      'invalid manifest field denoiser.latents: webdino; a codec cannot decode such latents; correct',
    );
    const alone = changed('codec');
    (alone.denoiser as Json).latents = 'webdino';
    for (const graph of ['encode.onnx', 'decode.onnx']) Reflect.deleteProperty(alone.files as Json, graph);
    expect(parseManifest(alone).denoiser!.latents).toBe('webdino');
    expect(() => parseManifest(changed('denoiser.latents', 'sound'))).toThrow(
      /^invalid manifest field: denoiser\.latents; "sound" is not known, use autoencoder-kl, webdino/,
    );
  });

  it('lists the shards of a graph in their order', () => {
    const manifest = exampleManifest();
    const shard = { ...manifest.files['window.onnx'], externalDataOf: 'window.onnx' };
    manifest.files['window.data.0'] = shard;
    manifest.files['window.data.1'] = shard;
    expect(filesOfGraph(parseManifest(manifest), 'window.onnx')).toEqual([
      'window.onnx',
      'window.data.0',
      'window.data.1',
    ]);
    expect(filesOfGraph(manifest, 'encode.onnx')).toEqual(['encode.onnx']);
  });
});

describe('a wrong manifest', () => {
  it.each([
    ['title', 'missing manifest field: title; '],
    ['denoiser.architecture.heads', 'missing manifest field: denoiser.architecture.heads; '],
    ['diffusion', 'missing manifest field: diffusion; '],
    ['action', 'missing manifest field: action; '],
    ['denoiser.graphs.window', 'missing manifest field: denoiser.graphs.window; '],
    ['action.std', 'missing manifest field: action.std; '],
  ])('without %s names it', (path, message) => {
    expect(() => parseManifest(changed(path))).toThrow(message);
  });

  it.each([
    ['version', 2, 'invalid manifest field: version; 2 is not allowed, only version 1 is known; '],
    ['id', '../maze', 'invalid manifest field: id; "../maze" is not allowed, an id has small letters'],
    ['denoiser.architecture.depth', -1, 'field: denoiser.architecture.depth; -1 is not allowed'],
    ['denoiser.architecture.frames', 'four', '"four" is not allowed, give a whole number from 2'],
    ['denoiser.architecture.injection', 'magic', '"magic" is not known, use additive, '],
    ['denoiser.context', 4, 'invalid manifest field denoiser.context: 4; a window has 4 frames'],
    ['denoiser.stabilisation', 1, 'denoiser.stabilisation; 1 is not allowed'],
    ['diffusion.prediction', 'score', 'use v, epsilon, x, flow'],
    ['action.width', 2, 'invalid manifest field action.width: 2; perStep times frameInterval is 10'],
    ['action.mean', [1], 'invalid manifest field action.mean: [1]; it needs 2 numbers'],
    ['action.mean', null, 'missing manifest field: action.std'],
    ['codec.imageSize', [64, 60], 'codec.imageSize: [64,60]; it must be a multiple of 8'],
    ['codec.imageSize', [128, 128], "the denoiser's latents are 8 x 8"],
    ['codec.channels', 16, "codec.channels: 16; the denoiser's latents have 4"],
    ['codec.scalingFactor', 0, 'invalid manifest field: codec.scalingFactor'],
    ['colour', 'red', 'unknown manifest field: colour; remove it'],
    ['codec.graphs.encode', '../encode.onnx', 'invalid manifest field: codec.graphs.encode'],
    ['files', {}, 'missing manifest field: files.window.onnx'],
  ])('with %s %j says so', (path, value, message) => {
    expect(() => parseManifest(changed(path, value))).toThrow(message);
  });

  it('names a bad checksum, a shard of no graph and a file outside the folder', () => {
    const file = exampleManifest().files['window.onnx'];
    const files = (more: Json) => changed('files', { ...exampleManifest().files, ...more });
    expect(() => parseManifest(files({ 'window.onnx': { ...file, sha256: 'xyz' } }))).toThrow(
      'sha256; "xyz" is not allowed, it is not 64 hexadecimal digits',
    );
    expect(() => parseManifest(files({ shard: { ...file, externalDataOf: 'x.onnx' } }))).toThrow(
      "files.shard.externalDataOf: x.onnx; the bundle's graphs are window.onnx, encode.onnx",
    );
    expect(() => parseManifest(files({ '../secret': file }))).toThrow('a file name has letters');
  });

  it('is refused when it is no object, or caches frames of a model that is not causal', () => {
    for (const json of [null, [], 'maze', 7]) {
      expect(() => parseManifest(json)).toThrow(/^invalid manifest; /);
    }
    const manifest = exampleManifest();
    const denoiser = {
      ...manifest.denoiser!,
      architecture: { ...manifest.denoiser!.architecture, causal: false },
      graphs: { cached: 'cached.onnx' },
    };
    expect(() => parseManifest({ ...manifest, denoiser })).toThrow('only a causal model');
  });
});

describe('actions', () => {
  it('are normalised per environment step with the mean and deviation of the bundle', () => {
    const recorded = Float32Array.of(0.6, -0.2, 0.1, 0.05, 0.1, -0.2, 0.1, -0.2, -0.4, 0.3);
    const network = networkActions(exampleManifest(), recorded);
    expect(network).toBeCloseTensor([1, 0, 0, 1, 0, 0, 0, 0, -1, 2], { absolute: 1e-5 });
  });

  it('divide by the deviation plus a millionth, so that a constant action stays finite', () => {
    const manifest = exampleManifest();
    manifest.action!.std = [0, 0];
    expect(networkActions(manifest, new Float32Array(10).fill(0.1))[0]).toBe(0);
    expect(networkActions(manifest, new Float32Array(10))[1]).toBeCloseTo(0.2e6, 0);
  });

  it('go in as recorded without a mean, and rows of a wrong width are refused', () => {
    const manifest = exampleManifest();
    Object.assign(manifest.action!, { mean: null, std: null });
    const recorded = new Float32Array(20);
    expect(networkActions(manifest, recorded)).toBe(recorded);
    expect(() => networkActions(manifest, new Float32Array(12))).toThrow('give rows of 10');
  });
});
