import { describe, expect, it } from 'vitest';
import { causalNetwork } from '../testing/causal-network.ts';
import { planRequest } from '../testing/process.ts';
import { chooseGraph, openNetwork } from './denoiser.ts';
import type { CachedDenoiser, CachedRequest } from './denoiser.ts';
import { windowPlan } from './plan.ts';

const { denoise, cached } = causalNetwork(4);

describe('the graph that runs', () => {
  it('is the cached one of a causal model, whether or not the window is there', () => {
    expect(chooseGraph(true, { denoise, cached })).toEqual({ graph: 'cached', reason: null });
    expect(chooseGraph(true, { denoise: null, cached })).toEqual({ graph: 'cached', reason: null });
  });

  it('is the window of a model that is not causal, and says why', () => {
    const { graph, reason } = chooseGraph(false, { denoise, cached });
    expect(graph).toBe('window');
    expect(reason).toMatch(/^Every frame is computed in every row, because this model is not causal: .*\.$/);
  });

  it('is the window where the bundle has nothing else, and says what to do', () => {
    const { graph, reason } = chooseGraph(true, { denoise, cached: null });
    expect(graph).toBe('window');
    expect(reason).toMatch(/this bundle has no cached\.onnx; build it again/);
  });

  it('is the window where the device refused the cached one, and says what it said', () => {
    const refused = 'Every frame is computed in every row, because of this device.';
    const choice = chooseGraph(true, { denoise, cached: null, refused });
    expect(choice).toEqual({ graph: 'window', reason: refused });
  });

  it('must be there', () => {
    const message = 'missing graph: window.onnx; build the bundle again, or choose another';
    expect(() => chooseGraph(false, { denoise: null, cached })).toThrow(message);
    expect(() => chooseGraph(true, { denoise: null })).toThrow(message);
    const plan = windowPlan(planRequest());
    expect(() => openNetwork({ plan, denoise: null, actions: new Float32Array(4), batch: 1 })).toThrow(
      message,
    );
  });
});

describe('the cached graph is given', () => {
  /** Every call's request; the answer is zeros. */
  async function requests(changes: Parameters<typeof planRequest>[0], batch: number) {
    const seen: CachedRequest[] = [];
    const spy: CachedDenoiser = {
      open: () => ({
        call: async (request) => {
          seen.push(request);
          return new Float32Array(request.x.length);
        },
        close: () => undefined,
      }),
    };
    const plan = windowPlan(planRequest(changes));
    // frame f of clip b is 10 b + f; so is its action, plus a half
    const clips = Array.from({ length: batch * 4 }, (_, i) => 10 * Math.floor(i / 4) + (i % 4));
    const actions = Float32Array.from(clips.map((value) => value + 0.5));
    const network = openNetwork({ plan, denoise: null, cached: spy, actions, batch });
    for (let row = 0; row < plan.rows; row++) await network.evaluate(row, Float32Array.from(clips));
    return seen;
  }

  it('the frames to compute of every clip, with the action before each and none before the first', async () => {
    const [first, second] = await requests({ mode: 'full_sequence', steps: 2, keep: 1 }, 2);
    expect([...first.x]).toEqual([0, 1, 10, 11]);
    expect([...first.actions]).toEqual([0, 0.5, 0, 10.5]);
    expect([...first.timesteps]).toEqual([0, 999, 0, 999]);
    expect(first).toMatchObject({ frames: [0, 1], seen: [], kept: [0] });
    expect([...second.x]).toEqual([1, 11]);
    expect([...second.actions]).toEqual([0.5, 10.5]);
    expect([...second.timesteps]).toEqual([0, 0]);
    expect(second).toMatchObject({ frames: [1], seen: [0], kept: [] });
  });

  it('no call in a row that changes nothing', async () => {
    expect((await requests({ mode: 'lag', lag: 5, steps: 1 }, 1)).length).toBe(3);
  });
});
