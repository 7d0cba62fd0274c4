/**
 * The WebGPU path for real: a small reference NanoWM through onnxruntime's WebGPU provider, on the software
 * adapter where there is no GPU, against WASM and against the original implementation's numbers.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { readNpz } from '../models/files/npz.ts';
import { readSafetensors } from '../models/files/safetensors.ts';
import { parseYaml } from '../models/files/yaml.ts';
import { buildCached } from '../models/nanowm/cached.ts';
import { nanowmConfig } from '../models/nanowm/config.ts';
import { configFromHydra } from '../models/nanowm/hydra.ts';
import { memoriesOf, NOWHERE } from '../models/nanowm/memory.ts';
import { openNanowm } from '../models/nanowm/weights.ts';
import { buildWindow } from '../models/nanowm/window.ts';
import { referencePath } from '../models/testing/reference.ts';
import type { DeviceReport } from '../workers/protocol.ts';
import type { Playground } from '../src/page/testing.ts';

const folder = referencePath('nanowm/additive');

/** Of the largest value of the output: float32 on both sides, summed in another order. */
const TOLERANCE = 1e-4;

interface Plain {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}
type Inputs = Record<string, Plain>;

function reference() {
  const bytes = (name: string) => new Uint8Array(readFileSync(`${folder!}/${name}`));
  const weights = openNanowm(readSafetensors(bytes('model.safetensors')));
  const facts = configFromHydra(parseYaml(new TextDecoder().decode(bytes('config.yaml'))));
  const io = readNpz(bytes('io.npz'), 'io.npz');
  const plain = (name: string): Plain => {
    const { shape, data } = io.get(name);
    return { shape: [...shape], data: Array.from(data as Float32Array) };
  };
  return { config: nanowmConfig(weights, facts), weights, plain };
}

/** Frames `from` to `to` of [B, F, ...]. */
function frames({ shape, data }: Plain, from: number, to: number): Plain {
  const [batch, count, ...rest] = shape as [number, number, ...number[]];
  const size = rest.reduce((product, side) => product * side, 1);
  const clips = Array.from({ length: batch }, (_, b) =>
    data.slice((b * count + from) * size, (b * count + to) * size),
  );
  return { shape: [batch, to - from, ...rest], data: clips.flat() };
}

/** [B, F, A] -> row f holds the action before frame f; the first row is looked at by nobody. */
function shifted({ shape, data }: Plain): Plain {
  const [batch, count, width] = shape as [number, number, number];
  const rows = Array.from({ length: batch }, (_, b) => [
    ...Array<number>(width).fill(7),
    ...data.slice(b * count * width, (b * count + count - 1) * width),
  ]);
  return { shape: [batch, count, width], data: rows.flat() };
}

test.describe('WebGPU', () => {
  test.skip(folder === null, 'the reference nanowm/additive is not here');

  test('window gives the numbers of WASM and of the original, with every node on the GPU', async ({
    page,
  }) => {
    test.setTimeout(240_000);
    const log: string[] = [];
    page.on('console', (message) => log.push(message.text()));
    const { config, weights, plain } = reference();
    const run = await runner(page, buildWindow(config, weights));
    const inputs = { x: plain('x'), timesteps: plain('timesteps'), actions: plain('actions') };

    const wasm = await run('wasm', inputs);
    const webgpu = await run('webgpu', inputs);
    expectDevices(webgpu.device, wasm.device);
    test.info().annotations.push({ type: 'adapter', description: webgpu.device.adapter });
    expectClose(webgpu.outputs['output']!, wasm.outputs['output']!);
    expectClose(webgpu.outputs['output']!, plain('output').data);

    // onnxruntime names every provider that got nodes; a second name would mean copies between GPU and CPU.
    const placement = log.filter((line) => /node(?:s|\(s\)) placed on/i.test(line));
    expect(placement).toHaveLength(1);
    expect(placement[0]).toMatch(/All nodes placed on \[WebGpuExecutionProvider\]/);
  });

  test('cached gives them too: the first frames, then the last beside the memory of these', async ({
    page,
  }) => {
    test.setTimeout(240_000);
    const { config, weights, plain } = reference();
    const run = await runner(page, buildCached(config, weights));
    const [x, timesteps, truth] = [plain('x'), plain('timesteps'), plain('output')];
    const actions = shifted(plain('actions'));
    const [batch, count] = x.shape as [number, number];
    const last = count - 1;
    const step = (from: number, to: number, memory: Inputs): Inputs => ({
      x: frames(x, from, to),
      timesteps: frames(timesteps, from, to),
      positions: vector(Array.from({ length: to - from }, (_, i) => from + i)),
      actions: frames(actions, from, to),
      ...memory,
    });
    const nothing: Inputs = { past_positions: vector([NOWHERE]) };
    for (const { past, width } of memoriesOf(config))
      nothing[past] = { shape: [batch, 1, width], data: Array<number>(batch * width).fill(0) };

    const both = async (inputs: Inputs, expected: Plain) => {
      const wasm = await run('wasm', inputs);
      const webgpu = await run('webgpu', inputs);
      expectDevices(webgpu.device, wasm.device);
      for (const [name, data] of Object.entries(webgpu.outputs)) expectClose(data, wasm.outputs[name]!);
      expectClose(webgpu.outputs['output']!, expected.data);
      return webgpu.outputs;
    };
    const first = await both(step(0, last, nothing), frames(truth, 0, last));
    const memory: Inputs = { past_positions: vector(Array.from({ length: last }, (_, i) => i)) };
    for (const { name, past, width } of memoriesOf(config))
      memory[past] = { shape: [batch, last, width], data: first[name]! };
    await both(step(last, count, memory), frames(truth, last, count));
  });
});

/** Runs `model` in the page's worker. */
async function runner(page: Page, model: Uint8Array) {
  await page.goto('./?testing');
  const text = Buffer.from(model).toString('base64');
  return (backend: 'webgpu' | 'wasm', inputs: Inputs) =>
    page.evaluate(
      async ({ text, inputs, backend }) => {
        const tensors = Object.entries(inputs).map(([name, { shape, data }]) => [
          name,
          { shape, data: Float32Array.from(data) },
        ]);
        const request = {
          model: Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)),
          backend,
          allowSoftware: true,
          verbose: backend === 'webgpu',
          inputs: Object.fromEntries(tensors) as Record<string, { shape: number[]; data: Float32Array }>,
        };
        const { inference } = window.playground as Playground;
        const { outputs, device } = await inference.call((worker) => worker.runGraph(request));
        const plain = Object.entries(outputs).map(([name, { data }]) => [name, Array.from(data)]);
        return { outputs: Object.fromEntries(plain) as Record<string, number[]>, device };
      },
      { text, inputs, backend },
    );
}

function vector(data: readonly number[]): Plain {
  return { shape: [data.length], data };
}

function expectDevices(webgpu: DeviceReport, wasm: DeviceReport): void {
  expect(webgpu.backend).toBe('webgpu');
  expect(wasm.backend).toBe('wasm');
  expect(webgpu.fallbacks).toEqual([]);
}

function expectClose(values: readonly number[], expected: readonly number[]): void {
  expect(values).toHaveLength(expected.length);
  const largest = Math.max(...expected.map(Math.abs));
  const furthest = Math.max(...values.map((value, i) => Math.abs(value - expected[i]!)));
  // NaN when one side has one, and then not at most anything.
  expect(furthest / largest).toBeLessThanOrEqual(TOLERANCE);
}
