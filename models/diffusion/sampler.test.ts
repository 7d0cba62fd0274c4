import { describe, expect, it } from 'vitest';
import { seededNormals } from '../array/random.ts';
import { gaussianDenoiser } from '../testing/denoisers.ts';
import { planRequest, PUBLISHED } from '../testing/process.ts';
import { seededNoise } from './noise.ts';
import { windowPlan } from './plan.ts';
import { PREDICTIONS } from './predictions.ts';
import type { Prediction } from './predictions.ts';
import { sampleWindow } from './sampler.ts';
import type { RowReport, WindowRun } from './sampler.ts';

const SIZE = 8;
const context = seededNormals(5)(SIZE);

function run(changes: Partial<WindowRun> = {}, request: Parameters<typeof planRequest>[0] = {}): WindowRun {
  const plan = windowPlan(planRequest(request));
  return {
    plan,
    denoise: gaussianDenoiser({ ...PUBLISHED, ...request.diffusion }, 0.5, 0),
    frameSize: SIZE,
    context,
    actions: new Float32Array(4),
    noise: seededNoise('playground', 1, SIZE)(0, plan),
    ...changes,
  };
}
const frame = (window: Float32Array, f: number) => window.slice(f * SIZE, (f + 1) * SIZE);

describe('with a denoiser that knows the answer', () => {
  it.each(PREDICTIONS)('every schedule ends on it (prediction %s)', async (prediction) => {
    const diffusion = { ...PUBLISHED, prediction };
    for (const mode of ['full_sequence', 'pyramid', 'sequential'] as const) {
      for (const [steps, eta] of [
        [1, 0],
        [2, 0],
        [7, 0],
        [7, 0.5],
      ]) {
        const window = await sampleWindow(run({}, { diffusion, mode, steps, eta }));
        // From pure noise an epsilon model must divide by sqrt(alpha-bar), 1e-4 at its floor.
        const absolute = prediction === 'epsilon' ? 0.02 : 1e-5;
        expect(window.slice(SIZE), `${mode} ${steps} ${eta}`).toBeCloseTensor(
          new Float32Array(3 * SIZE).fill(0.5),
          { absolute },
        );
      }
    }
  });
});

describe('with the exact denoiser of normal data', () => {
  const error = async (prediction: Prediction, steps: number) => {
    const diffusion = { ...PUBLISHED, prediction };
    const drawn = seededNormals(11)(4 * SIZE);
    const base = run({}, { diffusion, steps });
    const window = await sampleWindow({
      ...base,
      denoise: gaussianDenoiser(diffusion, 0.5, 0.3),
      noise: { context: () => context, initial: () => drawn, step: () => null },
    });
    const exact = drawn.map((noise) => 0.5 + 0.3 * noise);
    return Math.max(...window.slice(SIZE).map((value, i) => Math.abs(value - exact[SIZE + i])));
  };

  it.each(['v', 'x', 'flow'] as const)(
    'more steps come closer to the exact answer (%s)',
    async (prediction) => {
      const errors = [await error(prediction, 4), await error(prediction, 32), await error(prediction, 256)];
      expect(errors[1]).toBeLessThan(errors[0] / 4);
      expect(errors[2]).toBeLessThan(errors[1] / 4);
      expect(errors[2]).toBeLessThan(0.01);
    },
  );
});

describe('what stays', () => {
  it('a clean context stays bit for bit, and a frame that is clean or waits does too', async () => {
    const rows: RowReport[] = [];
    const result = await sampleWindow(run({ onRow: (row) => void rows.push(row) }));
    expect(frame(result, 0)).toEqual(context);
    const clean = frame(rows[3].latents(), 1); // 4 steps, so frame 1 is clean after row 4
    expect(frame(result, 1)).toEqual(clean);
    expect(frame(rows[0].latents(), 3)).toEqual(frame(rows[7].latents(), 3));
  });

  it('a stabilised context is noised once and shown the same in every row', async () => {
    const seen: Float32Array[] = [];
    const times: number[] = [];
    const base = run({}, { stabilisation: 0.4, steps: 6 });
    const result = await sampleWindow({
      ...base,
      denoise: (x, timesteps, actions) => {
        seen.push(frame(x, 0));
        times.push(timesteps[0]);
        return base.denoise!(x, timesteps, actions);
      },
    });
    expect(new Set(times)).toEqual(new Set([400])); // step round(0.4 * 5) = 2 of 0, 200, 400, ...
    expect(seen.every((values) => values.every((value, i) => value === seen[0][i]))).toBe(true);
    expect(frame(result, 0)).toEqual(seen[0]);
    expect(frame(result, 0)).not.toEqual(context);
  });

  it('frames that are not kept stop where they are, and their rows are never run', async () => {
    const plan = { mode: 'pyramid', steps: 4, keep: 1 } as const;
    const rows: RowReport[] = [];
    const base = run({ onRow: (row) => void rows.push(row) }, plan);
    await sampleWindow(base);
    expect(rows.length).toBe(4);
    expect(rows[3].levels).toEqual([0, 0, 1, 2]);
  });
});

describe('reports', () => {
  it('give the belief of the row: the clean estimate of noisy frames, clean frames as they are', async () => {
    const rows: RowReport[] = [];
    const result = await sampleWindow(run({ onRow: (row) => void rows.push(row) }));
    const belief = rows[5].belief();
    expect(frame(belief, 0)).toEqual(context);
    expect(frame(belief, 1)).toEqual(frame(result, 1));
    expect(belief.slice(2 * SIZE)).toBeCloseTensor(new Float32Array(2 * SIZE).fill(0.5), { absolute: 1e-5 });
  });

  it('are awaited, so that the page can draw between rows', async () => {
    const order: string[] = [];
    const base = run({}, { mode: 'full_sequence', steps: 2 });
    await sampleWindow({
      ...base,
      denoise: (...call) => {
        order.push('call');
        return base.denoise!(...call);
      },
      onRow: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        order.push('drawn');
      },
    });
    expect(order).toEqual(['call', 'drawn', 'call', 'drawn']);
  });
});

it('a batch gives each clip what it would get alone', async () => {
  const plan = windowPlan(planRequest({ eta: 0.5, stabilisation: 0.1 }));
  const normals = seededNormals(3);
  const draw = (frames: number) => [normals(frames * SIZE), normals(frames * SIZE)];
  const [contexts, added, initial, steps] = [draw(1), draw(1), draw(4), draw(4)];
  const join = ([a, b]: Float32Array[]) => Float32Array.of(...a, ...b);
  const alone = (i: number) =>
    sampleWindow(
      run({
        plan,
        context: contexts[i],
        noise: { context: () => added[i], initial: () => initial[i], step: () => steps[i] },
      }),
    );
  const together = await sampleWindow(
    run({
      plan,
      batch: 2,
      context: join(contexts),
      noise: { context: () => join(added), initial: () => join(initial), step: () => join(steps) },
    }),
  );
  expect(together).toEqual(join([await alone(0), await alone(1)]));
});

describe('a run that is stopped', () => {
  it('ends between rows with the name aborted', async () => {
    const signal = { aborted: false };
    let rows = 0;
    const stopped = sampleWindow(run({ signal, onRow: () => void (signal.aborted = ++rows === 2) }));
    await expect(stopped).rejects.toMatchObject({ name: 'aborted' });
    expect(rows).toBe(2);
  });
});

describe('bad input', () => {
  it.each([
    ['steps', { steps: 0 }, 'invalid steps: 0'],
    ['steps', { steps: -5 }, 'invalid steps: -5'],
    ['steps', { steps: 1001 }, 'invalid steps: 1001; give a whole number from 1 to 1000'],
    ['eta', { eta: 1.5 }, 'invalid eta: 1.5; give a number from 0 to 1'],
    ['eta', { eta: NaN }, 'invalid eta'],
    ['stabilisation', { stabilisation: 1 }, 'invalid stabilisation: 1'],
    ['stabilisation', { stabilisation: -0.1 }, 'invalid stabilisation: -0.1'],
    ['context', { context: 4 }, 'invalid context: 4; give a whole number from 0 to 3'],
    ['keep', { keep: 4 }, 'invalid keep: 4; a window generates 3 frames; keep 1 to 3'],
    ['keep', { keep: 0 }, 'invalid keep: 0'],
  ])('%s %j is refused before anything runs', (_name, request, message) => {
    expect(() => windowPlan(planRequest(request))).toThrow(message);
  });

  it('noise that is not finite or has the wrong size is named', async () => {
    const plan = windowPlan(planRequest({ eta: 0.5, stabilisation: 0.1 }));
    const good = seededNoise('playground', 1, SIZE)(0, plan);
    const broken = good.initial();
    broken[3] = NaN;
    const attempt = (noise: Partial<WindowRun['noise']>) =>
      sampleWindow(run({ plan, noise: { ...good, ...noise } }));
    await expect(attempt({ initial: () => broken })).rejects.toThrow('invalid initial noise: NaN at 3; ');
    await expect(attempt({ initial: () => new Float32Array(7) })).rejects.toThrow(
      'invalid initial noise: 7 numbers; this window needs 32',
    );
    await expect(attempt({ context: () => new Float32Array(9) })).rejects.toThrow('context noise');
    await expect(attempt({ step: () => null })).rejects.toThrow('step noise: 0 numbers');
  });

  it('a network whose output has another size is refused', async () => {
    const denoise = async () => new Float32Array(5);
    await expect(sampleWindow(run({ denoise }))).rejects.toThrow('invalid network output: 5 numbers');
  });

  it('a network that overflows is caught in the row where it does', async () => {
    const denoise = async (x: Float32Array) => x.map((value, i) => (i === 9 ? Infinity : value));
    await expect(sampleWindow(run({ denoise }))).rejects.toThrow('invalid network output: Infinity at 9; ');
  });

  it('a context of the wrong size is refused', async () => {
    await expect(sampleWindow(run({ context: new Float32Array(9) }))).rejects.toThrow('invalid context');
  });
});
