/** One run on an open bundle: the domain's rollout over this worker's sessions, reported row by row. */
import { plansOfSpec, rollout } from '../../models/rollout.ts';
import type { RolloutEvent } from '../../models/rollout.ts';
import type { RunResult } from '../../models/run.ts';
import { graphFunctions } from '../graphs.ts';
import type { RunEvent, RunRequest } from '../protocol.ts';
import type { GraphSession } from '../session.ts';
import type { OpenBundle } from './bundle.ts';
import { pause } from './pause.ts';
import { createPreview } from './preview.ts';

/**
 * @param cancelled looked at between calls of graphs
 * @param now milliseconds, any origin
 * @throws `aborted` when it was cancelled; one sentence when spec, clip and bundle do not fit
 */
export async function runOn(
  { opened, sessions, refused }: OpenBundle,
  { spec, clip, preview }: RunRequest,
  tell: (event: RunEvent) => void,
  cancelled: () => boolean,
  now: () => number,
): Promise<RunResult> {
  const { manifest } = opened;
  const { window, cached, encode, decode } = sessions;
  const graphs = graphFunctions(manifest, {
    window: window && heeding(window),
    cached: cached && heeding(cached),
    encode: encode && heeding(encode),
    decode: decode && heeding(decode),
  });
  const show =
    preview && manifest.codec && graphs.decode ? createPreview(manifest.codec, graphs.decode) : null;
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
  const { runtime, backend, adapter } = opened.device;
  return rollout({
    manifest,
    spec,
    clip,
    ...graphs,
    refused,
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

/** After each call the messages that have come in are heard, a cancellation among them. */
function heeding(session: GraphSession): GraphSession {
  return {
    ...session,
    run: async (feeds, outputs) => {
      const results = await session.run(feeds, outputs);
      await pause();
      return results;
    },
  };
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
