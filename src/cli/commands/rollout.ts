/** `rollout`: predicts a clip's future with a bundle; with no options, the embedded maze. */
import { toFloat32 } from '../../../models/array/convert.ts';
import type { Tensor } from '../../../models/array/tensor.ts';
import { picturesMissing } from '../../../models/bundle/latents.ts';
import { readClip } from '../../../models/clip.ts';
import type { Clip } from '../../../models/clip.ts';
import type { GivenNoise } from '../../../models/diffusion/noise.ts';
import { SCHEDULING_MODES } from '../../../models/diffusion/scheduling-matrix.ts';
import { invalid, missing } from '../../../models/errors.ts';
import { readNpz, writeNpz } from '../../../models/files/npz.ts';
import { rollout } from '../../../models/rollout.ts';
import { parseSpec } from '../../../models/run.ts';
import type { RunResult, RunSpec } from '../../../models/run.ts';
import { EPISODE_FRAMES } from '../../../models/worlds/maze/live.ts';
import { liveEpisode } from '../../../workers/mujoco/live.ts';
import { openBundleFolder } from '../../../workers/node/bundle.ts';
import type { NodeBundle } from '../../../workers/node/bundle.ts';
import { mujocoInNode } from '../../../workers/node/mujoco.ts';
import { MOST_THREADS } from '../command.ts';
import type { Arguments, Command } from '../command.ts';
import { checkFolder, openOutput, readBytes } from '../files.ts';
import { fixed, progress, table } from '../output.ts';
import { ballErrors } from '../maze/ball-errors.ts';
import { bundleFolder, clipSource, readAsked, runtimeOf } from '../asked.ts';
import type { Asked, ClipSource } from '../asked.ts';
import { warningsOf } from '../warnings.ts';

const MODES = [...SCHEDULING_MODES, 'lag'] as const;

export const command: Command = {
  summary: 'Predicts the future of a clip and measures it; with no options, the embedded maze.',
  usage: '',
  options: {
    bundle: { type: 'string', value: 'DIR', help: 'model bundle (default: the embedded maze)' },
    clip: {
      type: 'string',
      value: 'F.npz|ID',
      help: 'file, embedded clip, or episode to simulate, maze:MAP:NUMBER (default: maze-01)',
    },
    spec: {
      type: 'string',
      value: 'F.json|LINK',
      help: 'what to run, a file or a link of the page; what it leaves out comes from the bundle',
    },
    out: { type: 'string', value: 'DIR', help: 'write rollout.npz and result.json there' },
    noise: { type: 'string', value: 'F.npz', help: 'noise from outside: initial, context, steps' },
    mode: {
      type: 'string',
      value: MODES.join('|'),
      help: 'how far each frame starts after the one before; this and what follows go before the spec',
    },
    lag: { type: 'string', value: 'L', help: 'rows between the starts, with --mode lag' },
    steps: { type: 'string', value: 'S', help: 'denoising steps of a frame, 1 to 1000' },
    stabilisation: { type: 'string', value: 'h', help: 'level of the context, 0 (clean) to below 1' },
    eta: { type: 'string', value: 'E', help: 'fresh noise in every row, 0 (none) to 1' },
    seed: { type: 'string', value: 'N', help: 'seed of the noise, a whole number' },
    horizon: { type: 'string', value: 'T', help: 'frames in all, context included' },
    backend: {
      type: 'string',
      value: 'auto|node|wasm',
      help: 'runtime (auto: onnxruntime-node when installed)',
    },
    threads: { type: 'string', value: 'N', help: 'threads of the runtime (default: all cores)' },
  },
  async run(args) {
    const out = args.text('out');
    if (out !== undefined) await checkFolder(out);
    const asked = withChanges(await readAsked(args.text('spec')), args);
    const source = clipSource(args.text('clip'), asked);
    const clipOfSize = await openClip(source);
    const noise = await readNoise(args.text('noise'));
    const bundle = await openBundleFolder(bundleFolder(args.text('bundle'), asked), {
      runtime: runtimeOf(asked),
      threads: args.whole('threads', 1, MOST_THREADS),
    });
    const spec = parseSpec({ ...asked, clip: source.name }, bundle.manifest);
    const clip = await clipOfSize(bundle.manifest.codec?.imageSize[0] ?? 64);
    for (const sentence of warningsOf(spec, clip)) console.error(sentence);
    const result = await perform(bundle, clip, spec, noise, args.stopped);
    await bundle.close();
    progress('');
    if (out !== undefined) await write(out, result);
    if (args.flag('json')) console.log(JSON.stringify(summary(result)));
    else console.log(report(result, clip, picturesMissing(bundle.manifest)));
  },
};

/** A file is read at once; an episode is simulated when the side of its frames in pixels is known. */
async function openClip(source: ClipSource): Promise<(size: number) => Promise<Clip>> {
  if ('path' in source) {
    const clip = readClip(await readBytes(source.path), source.path);
    return () => Promise.resolve(clip);
  }
  const { episode } = source;
  return async (size) => liveEpisode(await mujocoInNode(), { ...episode, frames: EPISODE_FRAMES, size });
}

function perform(
  bundle: NodeBundle,
  clip: Clip,
  spec: RunSpec,
  noise: GivenNoise | null,
  signal: { readonly aborted: boolean },
) {
  return rollout({
    ...bundle,
    spec,
    clip,
    ...(noise && { noise }),
    signal,
    clock: () => performance.now() / 1000,
    onEvent: async (event) => {
      if (event.kind !== 'row') return;
      progress(
        `window ${String(event.window + 1)} of ${String(event.windows)}, row ${String(event.row)} of ${String(event.rows)}`,
      );
      // Lets Ctrl-C in between two rows.
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
}

/** The spec with the command line's changes; a wrong value is left to parseSpec. */
function withChanges(json: Asked, args: Arguments): Asked {
  const sampler: Record<string, unknown> = {};
  // A mode or a lag replaces what the spec says about either.
  if (args.has('mode') || args.has('lag')) Object.assign(sampler, { lag: null, matrix: null });
  if (args.has('lag')) sampler['mode'] = 'lag';
  const mode = args.choice('mode', MODES);
  if (mode !== undefined) sampler['mode'] = mode;
  if (mode === 'lag' && !args.has('lag')) throw missing('option', '--lag', 'mode lag needs it');
  for (const name of ['lag', 'steps', 'stabilisation', 'eta'] as const)
    if (args.has(name)) sampler[name] = args.number(name);
  const changes: Record<string, unknown> = {};
  for (const name of ['seed', 'horizon'] as const) if (args.has(name)) changes[name] = args.number(name);
  const backend = args.choice('backend', ['auto', 'node', 'wasm']);
  if (backend !== undefined) changes['backend'] = backend;
  if (Object.keys(sampler).length > 0)
    changes['sampler'] = { ...(json as { sampler?: object }).sampler, ...sampler };
  return { ...json, ...changes };
}

/** @throws one sentence about an array that is missing, or holds NaN. */
async function readNoise(path: string | undefined): Promise<GivenNoise | null> {
  if (path === undefined) return null;
  const npz = readNpz(await readBytes(path), path);
  const array = (name: string) => {
    const tensor = npz.get(name);
    const data = toFloat32(tensor);
    const bad = data.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0)
      throw invalid(
        'noise',
        `${String(data[bad])} at element ${String(bad)} of '${name}' in ${path}`,
        'all numbers must be finite',
      );
    return { shape: tensor.shape, data };
  };
  return {
    initial: array('initial'),
    ...(npz.has('context') && { context: array('context') }),
    ...(npz.has('steps') && { steps: array('steps') }),
  };
}

/** Everything but the arrays. */
function summary(result: RunResult) {
  const { latents: _, frames: __, reconstruction: ___, trace: ____, ...rest } = result;
  return rest;
}

async function write(folder: string, result: RunResult): Promise<void> {
  const { latents, latentShape, frames, frameShape } = result;
  const arrays: Record<string, Tensor> = { latents: { dtype: 'float32', shape: latentShape, data: latents } };
  if (frames && frameShape) arrays['frames'] = { dtype: 'uint8', shape: frameShape, data: frames };
  const output = await openOutput(folder);
  try {
    await output.write('rollout.npz', writeNpz(arrays));
    await output.write('result.json', `${JSON.stringify(summary(result), null, 1)}\n`);
    await output.commit();
  } finally {
    await output.close();
  }
}

function report(result: RunResult, clip: Clip, noPictures: string | null): string {
  const { metrics, timings, spec, provenance } = result;
  const { mode, lag, steps, stabilisation, eta } = spec.sampler;
  const balls = ballErrors(result, clip);
  const first = metrics.reconstruction ?? metrics.pixels ?? [];
  const rows = first.map(({ frame }, i) => [
    String(frame),
    fixed(metrics.reconstruction?.[i]?.psnr, 2),
    fixed(metrics.reconstruction?.[i]?.ssim, 4),
    fixed(metrics.pixels?.[i]?.psnr, 2),
    fixed(metrics.pixels?.[i]?.ssim, 4),
    ...(balls ? [fixed(balls[i]?.predicted, 3), fixed(balls[i]?.copied, 3)] : []),
  ]);
  const header = [
    'frame',
    'PSNR dB (recon.)',
    'SSIM (recon.)',
    'PSNR dB (pixels)',
    'SSIM (pixels)',
    ...(balls ? ['ball off by', 'if it stood still'] : []),
  ];
  return [
    `${clip.source}`,
    `${mode}${lag === null ? '' : ` ${String(lag)}`}, ${steps === 1 ? '1 step' : `${String(steps)} steps`}, stabilisation ${String(stabilisation)}, eta ${String(eta)}, seed ${String(spec.seed)}; ${provenance.runtime}`,
    '',
    rows.length > 0 ? table(header, rows) : (noPictures ?? 'no truth to measure against'),
    '',
    `${String(result.networkCalls)} network calls, ${String(result.frameEvaluations)} frame evaluations, ${timings.total.toFixed(2)} s ` +
      `(encode ${timings.encode.toFixed(2)}, sample ${timings.sample.toFixed(2)}, decode ${timings.decode.toFixed(2)}, measure ${timings.measure.toFixed(2)})`,
    ...(balls
      ? ['Ball errors in maze units (a cell is 1 wide). recon.: the truth through the autoencoder.']
      : []),
  ].join('\n');
}
