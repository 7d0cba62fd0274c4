/** The published sizes, with random weights: from a file to one forward pass on the runtime that browsers have. */
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseManifest } from '../../../models/bundle/manifest.ts';
import { forwardInput } from '../../../models/comparison.ts';
import { windowDenoiser } from '../../../workers/graphs.ts';
import { openGraphFile } from '../../../workers/node/open.ts';
import { publishedConfig, writeRandomCheckpoint } from '../../../workers/testing/random-checkpoint.ts';
import { json, workspace } from '../testing/run.ts';
import { command } from './convert.ts';

test.each([
  ['S', 40_000_000],
  ['B', 160_000_000],
] as const)('NanoWM-%s/2 is converted, opened and computes', async (size, parameters) => {
  const folder = join(workspace(), 'weights');
  const out = join(workspace(), 'bundle');
  mkdirSync(folder);
  const config = publishedConfig(size);
  const bytes = writeRandomCheckpoint(join(folder, 'model.safetensors'), config);
  expect(Math.abs(bytes / 4 / parameters - 1)).toBeLessThan(0.02);
  const { manifest: stated } = await json(command, ['nanowm', '--weights', folder, '--out', out]);
  const manifest = parseManifest(stated);
  expect(manifest.denoiser!.architecture).toEqual(config);
  for (const file of Object.values(manifest.files)) expect(file.bytes).toBeLessThanOrEqual(64 * 2 ** 20);

  const graph = join(out, 'window.onnx');
  const model = new Uint8Array(await readFile(graph));
  const session = await openGraphFile(graph, model, { runtime: 'wasm' });
  const { x, timesteps, actions } = forwardInput(config);
  const output = await windowDenoiser(session, config)(x, timesteps, actions);
  await session.release();
  expect(output.length).toBe(x.length);
  expect(output.every(Number.isFinite)).toBe(true);
  expect(Math.max(...output.subarray(0, 1000))).toBeGreaterThan(0.1);
});
