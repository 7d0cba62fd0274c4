/**
 * The WebGPU path for real: a small reference NanoWM through onnxruntime's WebGPU provider, on the software
 * adapter where there is no GPU, against WASM and against the original implementation's numbers.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { readNpz } from '../models/files/npz.ts';
import { readSafetensors } from '../models/files/safetensors.ts';
import { parseYaml } from '../models/files/yaml.ts';
import { nanowmConfig } from '../models/nanowm/config.ts';
import { configFromHydra } from '../models/nanowm/hydra.ts';
import { openNanowm } from '../models/nanowm/weights.ts';
import { buildWindow } from '../models/nanowm/window.ts';
import { referencePath } from '../models/testing/reference.ts';
import type { Playground } from '../src/page/testing.ts';

const folder = referencePath('nanowm/additive');

/** Of the largest value of the output: float32 on both sides, summed in another order. */
const TOLERANCE = 1e-4;

interface Plain {
  readonly shape: number[];
  readonly data: number[];
}

function reference() {
  const bytes = (name: string) => new Uint8Array(readFileSync(`${folder!}/${name}`));
  const weights = openNanowm(readSafetensors(bytes('model.safetensors')));
  const facts = configFromHydra(parseYaml(new TextDecoder().decode(bytes('config.yaml'))));
  const io = readNpz(bytes('io.npz'), 'io.npz');
  const plain = (name: string): Plain => {
    const { shape, data } = io.get(name);
    return { shape: [...shape], data: Array.from(data as Float32Array) };
  };
  return {
    model: Buffer.from(buildWindow(nanowmConfig(weights, facts), weights)).toString('base64'),
    inputs: { x: plain('x'), timesteps: plain('timesteps'), actions: plain('actions') },
    output: plain('output').data,
  };
}

test.describe('WebGPU', () => {
  test.skip(folder === null, 'the reference nanowm/additive is not here');

  test('gives the numbers of WASM and of the original, with every node on the GPU', async ({ page }) => {
    test.setTimeout(240_000);
    const log: string[] = [];
    page.on('console', (message) => log.push(message.text()));
    const { model, inputs, output } = reference();
    await page.goto('./?testing');

    const run = (backend: 'webgpu' | 'wasm') =>
      page.evaluate(
        async ({ model, inputs, backend }) => {
          const tensors = Object.entries(inputs).map(([name, { shape, data }]) => [
            name,
            { shape, data: Float32Array.from(data) },
          ]);
          const request = {
            model: Uint8Array.from(atob(model), (letter) => letter.charCodeAt(0)),
            backend,
            allowSoftware: true,
            verbose: backend === 'webgpu',
            inputs: Object.fromEntries(tensors) as Record<string, { shape: number[]; data: Float32Array }>,
          };
          const { inference } = window.playground as Playground;
          const { outputs, device } = await inference.call((worker) => worker.runGraph(request));
          return { data: Array.from(outputs['output']!.data), device };
        },
        { model, inputs, backend },
      );

    const wasm = await run('wasm');
    const webgpu = await run('webgpu');
    expect(webgpu.device.backend).toBe('webgpu');
    expect(wasm.device.backend).toBe('wasm');
    expect(webgpu.device.fallbacks).toEqual([]);
    test.info().annotations.push({ type: 'adapter', description: webgpu.device.adapter });

    const largest = Math.max(...output.map(Math.abs));
    expect(furthest(webgpu.data, wasm.data) / largest).toBeLessThanOrEqual(TOLERANCE);
    expect(furthest(webgpu.data, output) / largest).toBeLessThanOrEqual(TOLERANCE);

    // onnxruntime names every provider that got nodes; a second name would mean copies between GPU and CPU.
    const placement = log.filter((line) => /node(?:s|\(s\)) placed on/i.test(line));
    expect(placement).toHaveLength(1);
    expect(placement[0]).toMatch(/All nodes placed on \[WebGpuExecutionProvider\]/);
  });
});

/** Largest difference; NaN when one side has one. */
function furthest(a: readonly number[], b: readonly number[]): number {
  expect(a).toHaveLength(b.length);
  return Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
}
