import { describe, expect, it } from 'vitest';
import { seededRandom } from './array/random.ts';
import type { Clip } from './clip.ts';
import { decodeLatents, encodeFrames } from './codec.ts';
import { alphaBars } from './diffusion/noise-schedule.ts';
import { plansOfSpec, rollout } from './rollout.ts';
import type { RolloutEvent, RolloutRequest } from './rollout.ts';
import { parseSpec } from './run.ts';
import { blockCodec } from './testing/block-codec.ts';
import { causalNetwork } from './testing/causal-network.ts';
import { gaussianDenoiser } from './testing/denoisers.ts';
import { exampleManifest } from './testing/manifest.ts';

const manifest = exampleManifest();
const codec = manifest.codec!;
const SIDE = 64;
const FRAME = SIDE * SIDE * 3;

/** Frames of 8 x 8 blocks in random colours. */
function blockFrames(count: number): Uint8Array {
  const random = seededRandom(4);
  const colours = Uint8Array.from({ length: count * 64 * 3 }, () => 256 * random());
  return Uint8Array.from({ length: count * FRAME }, (_, i) => {
    const [frame, y, x] = [
      Math.floor(i / FRAME),
      Math.floor(i / (SIDE * 3)) % SIDE,
      Math.floor(i / 3) % SIDE,
    ];
    return colours[(frame * 64 + Math.floor(y / 8) * 8 + Math.floor(x / 8)) * 3 + (i % 3)];
  });
}

function clipOf(length: number, changes: Partial<Clip> = {}): Clip {
  return {
    length,
    pixels: { data: blockFrames(length), height: SIDE, width: SIDE },
    latents: null,
    actions: { data: new Float32Array(length * 10), rows: length, width: 10, scale: 'recorded' },
    states: null,
    fps: 8,
    aspect: 1,
    source: 'test',
    ...changes,
  };
}

let seconds = 0;
function request(spec: unknown, changes: Partial<RolloutRequest> = {}): RolloutRequest {
  return {
    manifest,
    spec: parseSpec(spec, manifest),
    clip: clipOf(4),
    denoise: gaussianDenoiser(manifest.diffusion!, 0.1, 0),
    ...blockCodec(codec),
    clock: () => ++seconds,
    device: { runtime: 'none', backend: 'wasm', adapter: 'test' },
    ...changes,
  };
}
const fast = { sampler: { steps: 3 } };

describe('the codec', () => {
  it('gives back the bytes of frames that it can hold exactly, frame by frame', async () => {
    const frames = blockFrames(2);
    const { encode, decode } = blockCodec(codec);
    const latents = await encodeFrames(codec, encode, frames);
    expect(latents.length).toBe(2 * 4 * 8 * 8);
    expect(await decodeLatents(codec, decode, latents)).toEqual(frames);
  });

  it('multiplies by the scaling factor', async () => {
    const white = new Uint8Array(FRAME).fill(255);
    const latents = await encodeFrames(codec, blockCodec(codec).encode, white);
    expect(latents[0]).toBe(0.5);
  });

  it('of another size than the manifest says is refused', async () => {
    const short = async () => new Float32Array(7);
    await expect(encodeFrames(codec, short, blockFrames(1))).rejects.toThrow('encoded frame: 7 numbers');
    await expect(decodeLatents(codec, short, new Float32Array(256))).rejects.toThrow('decoded frame');
    await expect(encodeFrames(codec, short, new Uint8Array(10))).rejects.toThrow('64 x 64 x 3');
  });
});

describe('a rollout', () => {
  it('gives frames, latents, measures of the predicted frames, cost and provenance', async () => {
    const result = await rollout(request(fast));
    expect(result.latentShape).toEqual([4, 4, 8, 8]);
    expect(result.frameShape).toEqual([4, SIDE, SIDE, 3]);
    // the denoiser believes in latents of 0.1: 0.2 unscaled, byte 153
    expect(new Set(result.frames!.subarray(FRAME))).toEqual(new Set([153]));
    expect(result.reconstruction).toEqual(clipOf(4).pixels!.data);
    expect(result.metrics.pixels!.map(({ frame }) => frame)).toEqual([1, 2, 3]);
    expect(result.metrics.pixels).toEqual(result.metrics.reconstruction);
    expect(result.networkCalls).toBe(9);
    expect(result.frameEvaluations).toBe(36);
    expect(result.levels[0].length).toBe(10);
    const hash = 'a'.repeat(64);
    expect(result.provenance).toMatchObject({
      bundle: 'tiny-maze',
      files: { 'window.onnx': hash, 'encode.onnx': hash, 'decode.onnx': hash },
      noise: 'seed',
    });
    expect('trace' in result).toBe(false);
  });

  it('is perfect when the network knows the truth', async () => {
    const truth = await encodeFrames(codec, blockCodec(codec).encode, clipOf(4).pixels!.data);
    const bars = gaussianDenoiser(manifest.diffusion!, 0, 0);
    // shifting noise and answer by the truth makes the denoiser of 0 one of the truth
    const knowing: RolloutRequest['denoise'] = async (x, timesteps, actions) => {
      const table = alphaBars(manifest.diffusion!);
      const size = x.length / timesteps.length;
      const signal = (i: number) => Math.sqrt(table[timesteps[Math.floor(i / size)]]);
      const noise = (i: number) => Math.sqrt(1 - table[timesteps[Math.floor(i / size)]]);
      const output = await bars(
        x.map((value, i) => value - signal(i) * truth[i]),
        timesteps,
        actions,
      );
      return output.map((value, i) => value - noise(i) * truth[i]);
    };
    const result = await rollout(request({ ...fast, keep: 1 }, { denoise: knowing }));
    const first = result.metrics.pixels![0];
    expect(first.psnr).toBeCloseTo(80, 3);
    expect(first.ssim).toBeCloseTo(1, 9);
  });

  it('is the same for the same seed, and another for another', async () => {
    const noisy = { denoise: gaussianDenoiser(manifest.diffusion!, 0.1, 0.3) };
    const run = async (seed: number) => (await rollout(request({ ...fast, seed }, noisy))).latents;
    expect(await run(1)).toEqual(await run(1));
    expect(await run(1)).not.toEqual(await run(2));
    const torch = { ...fast, noise: 'torch-cpu', seed: 1 };
    expect((await rollout(request(torch, noisy))).latents).not.toEqual(await run(1));
  });

  it('slides beyond the clip, measuring only where the truth is known', async () => {
    const result = await rollout(request({ ...fast, horizon: 7 }));
    expect(result.frameShape![0]).toBe(7);
    expect(result.metrics.pixels!.map(({ frame, window }) => [frame, window])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(result.levels.length).toBe(6);
    expect(result.networkCalls).toBe(18);
  });

  it('by the cached graph computes what changes, and says so; by the window it says why', async () => {
    const network = causalNetwork(4);
    const of = (changes: Partial<RolloutRequest>) => rollout(request({ ...fast, horizon: 6 }, changes));
    const cached = await of({ denoise: null, cached: network.cached });
    const whole = await of({ denoise: network.denoise });
    expect(cached.latents).toEqual(whole.latents);
    expect(cached.network).toEqual({ graph: 'cached', reason: null });
    expect(whole.network).toMatchObject({ graph: 'window', reason: expect.stringContaining('cached.onnx') });
    // five windows, each its context and then three steps of one frame
    expect([cached.frameEvaluations, cached.networkCalls]).toEqual([20, 15]);
    expect([whole.frameEvaluations, whole.networkCalls]).toEqual([60, 15]);
    expect(network.evaluations()).toBe(20);
  });

  it('of a model that is not causal never uses the cached graph', async () => {
    const network = causalNetwork(4);
    const both = exampleManifest();
    both.denoiser!.architecture.causal = false;
    const result = await rollout(request(fast, { ...network, manifest: both }));
    expect(result.network).toMatchObject({ graph: 'window', reason: expect.stringContaining('not causal') });
    expect([network.evaluations(), result.frameEvaluations]).toEqual([0, 36]);
  });

  it('keeps the belief of every row when asked', async () => {
    const result = await rollout(request(fast, { trace: true }));
    expect(result.trace!.length).toBe(result.networkCalls);
    expect(result.trace![0].length).toBe(4 * 256);
  });

  it('needs no codec when the clip holds latents', async () => {
    const bare = { ...manifest };
    delete bare.codec;
    const latents = { data: new Float32Array(256), channels: 4, height: 8, width: 8 };
    const clip = clipOf(1, { pixels: null, latents });
    const result = await rollout(request(fast, { manifest: bare, encode: null, decode: null, clip }));
    expect([result.frames, result.frameShape, result.metrics.pixels]).toEqual([null, null, null]);
    expect(result.latents.length).toBe(4 * 256);
  });

  it('takes actions as the network wants them, or normalises recorded ones', async () => {
    const seen: number[] = [];
    const denoise: RolloutRequest['denoise'] = async (x, _timesteps, actions) => {
      seen.push(actions[0]);
      return x;
    };
    const one = { sampler: { steps: 1 }, horizon: 2 };
    await rollout(request(one, { denoise }));
    const actions = { ...clipOf(4).actions, scale: 'network' as const };
    await rollout(request(one, { denoise, clip: clipOf(4, { actions }) }));
    expect(seen).toBeCloseTensor([-0.2, 0], { absolute: 1e-6 });
  });

  it('reports the reconstruction first, then every row with its levels and belief', async () => {
    const events: RolloutEvent[] = [];
    const result = await rollout(request(fast, { onEvent: (event) => void events.push(event) }));
    expect(events.map(({ kind }) => kind)).toEqual(['encoded', ...new Array<string>(9).fill('row')]);
    const last = events[9];
    if (last.kind !== 'row') throw new Error('the last event is a row');
    expect([last.row, last.rows, last.window, last.windows]).toEqual([9, 9, 0, 1]);
    expect(last.levels).toEqual([1, 0, 0, 0]);
    expect(last.latents()).toEqual(result.latents);
    expect(last.belief().length).toBe(4 * 256);
  });

  it('adds up its seconds', async () => {
    const { timings } = await rollout(request(fast));
    const { total, ...parts } = timings;
    expect(Object.values(parts).reduce((a, b) => a + b)).toBe(total);
    expect(total).toBeGreaterThan(0);
  });

  it('can be stopped while it encodes, samples or decodes', async () => {
    for (const calls of [1, 6, 12]) {
      const signal = { aborted: false };
      let count = 0;
      const counted =
        <A extends unknown[], R>(run: (...args: A) => R) =>
        (...args: A) => {
          signal.aborted = ++count >= calls;
          return run(...args);
        };
      const whole = request(fast);
      const stopped = rollout({
        ...whole,
        signal,
        denoise: counted(whole.denoise!),
        encode: counted(whole.encode!),
        decode: counted(whole.decode!),
      });
      await expect(stopped).rejects.toMatchObject({ name: 'aborted' });
      expect(count).toBe(calls);
    }
  });
});

it('the plans of a spec say its cost before it runs', () => {
  const plans = plansOfSpec(parseSpec({ horizon: 6, sampler: { steps: 10 } }, manifest), manifest);
  expect(plans.map(({ rows }) => rows)).toEqual([10, 10, 10, 10, 10]);
});

describe('what does not fit is refused in one sentence', () => {
  const of = (changes: Partial<RolloutRequest>, spec: unknown = fast) => rollout(request(spec, changes));

  it('a clip that is too short, too large, or has other actions or latents', async () => {
    await expect(of({ clip: clipOf(1) }, { ...fast, context: 2 })).rejects.toThrow(
      'invalid clip: 1 frames; this run needs 2 of context',
    );
    const pixels = { data: new Uint8Array(4 * 32 * 32 * 3), height: 32, width: 32 };
    await expect(of({ clip: clipOf(4, { pixels }) })).rejects.toThrow(
      'invalid frames: 32 x 32 pixels; this bundle takes 64 x 64',
    );
    const actions = { ...clipOf(4).actions, rows: 20, width: 2 };
    await expect(of({ clip: clipOf(4, { actions }) })).rejects.toThrow(
      'invalid actions: [20, 2]; this model takes rows of 10',
    );
    const latents = { data: new Float32Array(64), channels: 4, height: 4, width: 4 };
    await expect(of({ clip: clipOf(1, { latents }) })).rejects.toThrow('this model takes [T, 4, 8, 8]');
  });

  it('pixels without a codec', async () => {
    await expect(of({ encode: null, decode: null })).rejects.toThrow('missing codec');
  });

  it('noise of another shape, and noise that is not finite', async () => {
    const data = new Float32Array(4 * 256);
    const context = { shape: [1, 4, 8, 8], data: new Float32Array(256) };
    const noise = { initial: { shape: [4, 4, 8, 7], data }, context };
    await expect(of({ noise })).rejects.toThrow(
      'initial noise: shape [4, 4, 8, 7]; this run needs [4, 4, 8, 8]',
    );
    const bad = { initial: { shape: [4, 4, 8, 8], data: data.map(() => NaN) }, context };
    await expect(of({ noise: bad })).rejects.toThrow('invalid initial noise: NaN at 0');
  });
});
