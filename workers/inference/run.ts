/** One run on an open bundle: the domain's rollout over this worker's sessions, reported row by row. */
import type { Tensor } from '../../models/array/tensor.ts';
import { requireDenoiser } from '../../models/bundle/manifest.ts';
import { invalid, missing } from '../../models/errors.ts';
import { plansOfSpec, rollout } from '../../models/rollout.ts';
import type { RolloutEvent } from '../../models/rollout.ts';
import type { RunResult } from '../../models/run.ts';
import type { RunEvent, RunRequest } from '../protocol.ts';
import type { Feeds, GraphSession } from '../session.ts';
import type { OpenBundle } from './bundle.ts';
import { pause } from './pause.ts';
import { createPreview } from './preview.ts';

/**
 * @param cancelled looked at between calls of graphs
 * @param now milliseconds, any origin
 * @throws `aborted` when it was cancelled; one sentence when spec, clip and bundle do not fit
 */
export async function runOn(
  { opened, sessions }: OpenBundle,
  { spec, clip, preview }: RunRequest,
  tell: (event: RunEvent) => void,
  cancelled: () => boolean,
  now: () => number,
): Promise<RunResult> {
  const manifest = requireDenoiser(opened.manifest);
  const { window, encode, decode } = sessions;
  if (!window) throw missing('graph', `window.onnx in bundle '${manifest.id}'`, 'export the bundle again');
  const { frames, channels, latentHeight, latentWidth, actionWidth } = manifest.denoiser.architecture;
  const { codec } = manifest;
  const { runtime, backend, adapter } = opened.device;
  const [height, width] = codec?.imageSize ?? [0, 0];
  const latents = [1, codec?.channels ?? 0, latentHeight, latentWidth];

  const decoder =
    decode && ((data: Float32Array) => call(decode, { latents: float32(latents, data) }, 'pixels'));
  const show = preview && codec && decoder ? createPreview(codec, decoder) : null;
  const left = countdown(spec, { opened }, now);

  const onEvent = async (event: RolloutEvent): Promise<void> => {
    if (event.kind === 'encoded') {
      // A copy: the result holds the same array, and what is told is handed over.
      tell({ kind: 'encoded', reconstruction: event.reconstruction.slice() });
      left.start();
      return;
    }
    const { kind, row, rows, window, windows, levels } = event;
    const belief = show && (await show(event.belief()));
    tell({ kind, row, rows, window, windows, levels, secondsLeft: left.afterRow(), belief });
  };

  left.start();
  return rollout({
    manifest,
    spec,
    clip,
    denoise: (x, timesteps, actions) =>
      call(
        window,
        {
          x: float32([1, frames, channels, latentHeight, latentWidth], x),
          timesteps: float32([1, frames], timesteps),
          actions: float32([1, frames, actionWidth], actions),
        },
        'output',
      ),
    encode: encode && ((data) => call(encode, { pixels: float32([1, 3, height, width], data) }, 'mean')),
    decode: decoder,
    onEvent,
    signal: {
      get aborted() {
        return cancelled();
      },
    },
    clock: () => now() / 1000,
    device: { runtime, backend, adapter },
  });
}

/** One output of one call. Afterwards the messages that have come in are heard, a cancellation among them. */
async function call(session: GraphSession, feeds: Feeds, output: string): Promise<Float32Array> {
  const results = await session.run(feeds);
  await pause();
  const tensor = results[output];
  if (tensor?.dtype === 'float32') return tensor.data as Float32Array;
  throw invalid(
    'graph',
    session.outputs.join(', '),
    `it must give ${output} in float32; export the bundle again`,
  );
}

function float32(shape: readonly number[], data: Float32Array): Tensor<'float32'> {
  return { dtype: 'float32', shape, data };
}

/** Guesses the seconds that are left from the rows so far, and from the frames that are decoded at the end. */
function countdown(spec: RunRequest['spec'], { opened }: Pick<OpenBundle, 'opened'>, now: () => number) {
  const rows = plansOfSpec(spec, opened.manifest).reduce((sum, plan) => sum + plan.rows, 0);
  let began = 0;
  let done = 0;
  return {
    start: () => {
      began = now();
    },
    afterRow: () => {
      done++;
      const perRow = (now() - began) / 1000 / done;
      return perRow * (rows - done) + opened.speed.decodeFrame * spec.horizon;
    },
  };
}
