import { describe, expect, it } from 'vitest';
import { gaussianDenoiser } from '../testing/denoisers.ts';
import { planRequest, PUBLISHED } from '../testing/process.ts';
import { givenNoise, seededNoise } from './noise.ts';
import { sampleSliding, windowPlans } from './sliding.ts';
import type { SlidingRun } from './sliding.ts';

const SIZE = 2;

function run(changes: Partial<SlidingRun> = {}): SlidingRun {
  return {
    request: planRequest({ keep: 1, stabilisation: 0.5 }),
    length: 6,
    frameSize: SIZE,
    context: Float32Array.of(3, 4),
    actions: Float32Array.of(10, 11, 12, 13),
    actionWidth: 1,
    denoise: gaussianDenoiser(PUBLISHED, 0.5, 0),
    noise: seededNoise('playground', 1, SIZE),
    ...changes,
  };
}

describe('a sliding rollout', () => {
  it('gives every window the actions that begin at its first frame, the last one repeated', async () => {
    const seen = new Set<string>();
    const { denoise } = run();
    await sampleSliding(
      run({
        denoise: (x, timesteps, actions) => {
          seen.add([...actions].join(' '));
          return denoise!(x, timesteps, actions);
        },
      }),
    );
    // the fifth window's actions are the same as the fourth's
    expect([...seen]).toEqual(['10 11 12 13', '11 12 13 13', '12 13 13 13', '13 13 13 13']);
  });

  it('begins with the clean context, and each window starts from clean frames of the one before', async () => {
    const latents = await sampleSliding(run());
    expect([...latents.slice(0, 2)]).toEqual([3, 4]);
    expect(latents.slice(2)).toBeCloseTensor(new Float32Array(10).fill(0.5), { absolute: 1e-5 });
  });

  it('of one window gives it as sampled, the stabilised context noised', async () => {
    const latents = await sampleSliding(run({ length: 4, request: planRequest({ stabilisation: 0.5 }) }));
    expect(latents.length).toBe(4 * SIZE);
    expect([...latents.slice(0, 2)]).not.toEqual([3, 4]);
  });

  it('cuts the last window to what is left', () => {
    const plans = windowPlans(planRequest({ keep: 2 }), 6);
    expect(plans.map((plan) => plan.keep)).toEqual([2, 2, 1]);
    expect(plans.map((plan) => plan.rows)).toEqual([8, 8, 4]);
    expect(windowPlans(planRequest({ keep: null }), 3).map((plan) => plan.keep)).toEqual([2]);
  });

  it('draws noise anew for each window, and the same for the same seed', async () => {
    const drawn: number[] = [];
    const source = seededNoise('playground', 1, SIZE);
    const noise: SlidingRun['noise'] = (window, plan) => {
      const own = source(window, plan);
      return {
        ...own,
        initial: () => {
          const values = own.initial();
          drawn.push(values[0]);
          return values;
        },
      };
    };
    const first = await sampleSliding(run({ noise }));
    expect(new Set(drawn).size).toBe(5);
    expect(await sampleSliding(run())).toEqual(first);
  });

  it('reports the window of every row', async () => {
    const windows: number[] = [];
    await sampleSliding(run({ onRow: (_report, window) => void windows.push(window) }));
    expect(windows).toEqual([0, 1, 2, 3, 4].flatMap((window) => [window, window, window, window]));
  });

  it('refuses lengths that it cannot reach and actions that are no rows', async () => {
    expect(() => windowPlans(planRequest({ keep: 1 }), 1)).toThrow('invalid horizon: 1');
    expect(() => windowPlans(planRequest({ keep: null }), 9)).toThrow('one window has 4 frames');
    await expect(sampleSliding(run({ actions: new Float32Array() }))).rejects.toThrow('invalid actions');
    await expect(sampleSliding(run({ actionWidth: 3 }))).rejects.toThrow('give rows of 3');
  });
});

describe('given noise', () => {
  const array = (...shape: number[]) => ({
    shape,
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i),
  });
  const [plan] = windowPlans(planRequest({ keep: 1, eta: 0.5, stabilisation: 0.1 }), 6);
  const frame = [1, 1, 2];

  it('is cut by window and by row', () => {
    const given = {
      initial: array(5, 4, 1, 1, 2),
      context: array(5, 1, 1, 1, 2),
      steps: array(5, 4, 4, 1, 1, 2),
    };
    const noise = givenNoise(given, frame, 5)(2, plan);
    expect(noise.initial()[0]).toBe(16);
    expect([...noise.context()]).toEqual([4, 5]);
    expect(noise.step(1)![0]).toBe(2 * 32 + 8);
  });

  it('may lack the window axis when there is one window', () => {
    const noise = givenNoise({ initial: array(4, 1, 1, 2) }, frame, 1)(0, { ...plan, eta: 0 });
    expect(noise.initial().length).toBe(8);
    expect(noise.step(0)).toBe(null);
  });

  it('of another shape is refused with the shape that is needed', () => {
    const attempt = (...shape: number[]) =>
      givenNoise({ initial: array(...shape) }, frame, 5)(0, { ...plan, eta: 0 }).initial();
    expect(() => attempt(4, 1, 1, 2)).toThrow(
      'invalid initial noise: shape [4, 1, 1, 2]; this run needs [5, 4, 1, 1, 2]',
    );
    expect(() => attempt(5, 3, 1, 1, 2)).toThrow('needs [5, 4, 1, 1, 2]');
    expect(() => attempt(5, 4, 2)).toThrow('invalid initial noise');
  });

  it('that lacks what the sampler needs is named', () => {
    const noise = () => givenNoise({ initial: array(5, 4, 1, 1, 2) }, frame, 5)(0, plan);
    expect(noise).toThrow('missing noise: steps; this run needs it');
    expect(() =>
      givenNoise({ initial: array(5, 4, 1, 1, 2) }, frame, 5)(0, { ...plan, eta: 0 }).context(),
    ).toThrow('missing noise: context');
  });
});
