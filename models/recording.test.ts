import { describe, expect, it } from 'vitest';
import { readRecording, writeRecording } from './recording.ts';
import { defaultSpec } from './run.ts';
import type { RunResult } from './run.ts';
import { exampleManifest } from './testing/manifest.ts';

const metric = { frame: 1, window: 0, mse: 0.01, psnr: 26, ssim: 0.9 };
const result: RunResult = {
  version: 1,
  spec: defaultSpec(exampleManifest(), 'maze-01'),
  latents: new Float32Array(2),
  latentShape: [2, 1, 1, 1],
  frames: Uint8Array.from({ length: 2 * 2 * 2 * 3 }, (_, i) => i),
  reconstruction: Uint8Array.from({ length: 2 * 2 * 3 }, (_, i) => 255 - i),
  frameShape: [2, 2, 2, 3],
  metrics: { pixels: [metric], reconstruction: null },
  levels: [
    [
      [0, 1],
      [0, 0],
    ],
  ],
  timings: { encode: 0.1, sample: 0.5, decode: 0.1, measure: 0, total: 0.7 },
  networkCalls: 1,
  frameEvaluations: 2,
  network: { graph: 'cached', reason: null },
  provenance: { bundle: 'tiny-maze', runtime: 'r', backend: 'wasm', adapter: 'a', files: {}, noise: 'seed' },
};

describe('a recording', () => {
  const { json, npz } = writeRecording(result, 'WASM, 2 threads', '2026-12-01');

  it('comes back as it was written, without the latents', () => {
    const { device, date, result: back } = readRecording(JSON.parse(json), npz);
    expect({ device, date }).toEqual({ device: 'WASM, 2 threads', date: '2026-12-01' });
    expect(back).toEqual({ ...result, latents: undefined, latentShape: undefined });
  });

  it('keeps arrays out of the JSON', () => {
    expect(json).not.toContain('frames":{');
    expect(JSON.parse(json).result).not.toHaveProperty('latents');
  });

  it('names the field that is wrong', () => {
    expect(() => readRecording({ ...JSON.parse(json), date: 'yesterday' }, npz)).toThrow(
      'invalid recording field: date; "yesterday" is not allowed, a date looks like 2026-01-31; record it again',
    );
    expect(() => readRecording({ ...JSON.parse(json), version: 2 }, npz)).toThrow(/version/);
    const { result: inner, ...outer } = JSON.parse(json);
    const untimed = { ...outer, result: { ...inner, timings: null } };
    expect(() => readRecording(untimed, npz)).toThrow('invalid recording field: result.timings');
  });

  it('names the archive that is cut short', () => {
    expect(() => readRecording(JSON.parse(json), npz.slice(0, 40))).toThrow(/recording\.npz/);
  });

  it('needs frames', () => {
    expect(() => writeRecording({ ...result, frames: null, frameShape: null }, 'x', '2026-12-01')).toThrow(
      /no frames/,
    );
  });
});
