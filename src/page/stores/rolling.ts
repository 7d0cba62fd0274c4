/** Runs what is wanted, and stops it when asked. */
import { proxy } from 'comlink';
import type { Clip } from '../../../models/clip.ts';
import { aborted, unsupported } from '../../../models/errors.ts';
import type { RunEvent } from '../../../workers/protocol.ts';
import type { Engine } from '../engine/workers.ts';
import { words } from '../words.ts';
import { IDLE, isBusy } from './live.ts';
import type { LiveStore } from './live.ts';
import { createLiveFrames } from './live-frames.ts';
import type { LiveFrames } from './live-frames.ts';
import type { NoticesStore } from './notices.ts';
import type { Opening } from './opening.ts';
import { deviceWords, runOf } from './produced.ts';
import { addRun, nextOrder } from './runs.ts';
import type { RunsStore } from './runs.ts';
import { failureOf, isAbort } from './sentence.ts';
import type { SettingsStore } from './settings.ts';
import { specOf } from './spec.ts';

export interface Rolling {
  run(): Promise<void>;
  cancel(): void;
}

interface Needs {
  readonly engine: Engine;
  readonly settings: SettingsStore;
  readonly live: LiveStore;
  readonly runs: RunsStore;
  readonly notices: NoticesStore;
  readonly opening: Opening;
  readonly clip: (id: string) => Promise<Clip>;
  /** Told what a run took, to correct the next estimate. */
  readonly took: (seconds: number) => void;
}

/** Milliseconds that a worker has to stop a run before it is ended. A row takes far less. */
const PATIENCE = 15_000;

export function createRolling(needs: Needs): Rolling {
  const { engine, settings, live, runs, notices, opening } = needs;
  let count = 0;

  const follow = (id: string, frames: LiveFrames, clip: Clip) => (event: RunEvent) => {
    if (live.getState().id !== id || !isBusy(live.getState())) return;
    if (event.kind === 'device') {
      notices.say('warn', words.anotherDevice(words.onDevice(event.device)));
      frames.restart();
      live.setState({ row: 0, window: 0, levels: [], secondsLeft: null });
    } else if (event.kind === 'encoded') {
      const { height, width } = clip.pixels!;
      const { reconstruction: data } = event;
      live.setState({ reconstruction: { data, count: data.length / (height * width * 3), height, width } });
    } else {
      const { row, rows, window, windows, levels, secondsLeft } = event;
      frames.put(event);
      live.setState({ row, rows, window, windows, levels, secondsLeft });
    }
  };

  const run = async (): Promise<void> => {
    if (isBusy(live.getState())) return;
    const id = `run ${++count}`;
    const wanted = settings.get();
    const mine = () => live.getState().id === id && live.getState().status !== 'stopping';
    live.setState({ ...IDLE, status: 'starting', id, settings: wanted }, true);
    try {
      const [opened, clip] = await Promise.all([opening.open(wanted), needs.clip(wanted.clip)]);
      if (!mine()) throw aborted('the run');
      const spec = specOf(wanted, opened.manifest);
      if (!clip.pixels)
        throw unsupported('clip', wanted.clip, 'it holds no frames to compare with; choose another');
      const { height, width } = clip.pixels;
      const { horizon, context, keep } = spec;
      const frames = createLiveFrames({ horizon, context, height, width, keep: keep ?? horizon });
      live.setState({ status: 'running', prediction: frames.prediction });
      const onEvent = proxy(follow(id, frames, clip));
      const result = await engine.inference.call((worker) =>
        worker.run({ id, spec, clip, preview: true }, onEvent),
      );
      needs.took(result.timings.total);
      addRun(
        runs,
        runOf(result, {
          id,
          order: nextOrder(runs.getState()),
          settings: { ...wanted, horizon: spec.horizon },
          device: deviceWords(result.provenance),
          recordedOn: null,
          beliefs: frames.beliefs,
        }),
      );
      live.setState(IDLE, true);
    } catch (error) {
      if (live.getState().id !== id) return;
      const failure = isAbort(error) ? null : failureOf(error);
      live.setState({ ...IDLE, status: failure ? 'failed' : 'idle', failure }, true);
    }
  };

  const cancel = () => {
    const { status, id } = live.getState();
    if (status === 'starting') {
      // Nothing runs yet; the model that is loading goes on, since the next run wants it.
      live.setState(IDLE, true);
    }
    if (status !== 'running') return;
    live.setState({ status: 'stopping' });
    void engine.inference.call((worker) => worker.cancel(id)).catch(() => undefined);
    setTimeout(() => {
      const now = live.getState();
      if (now.id !== id || now.status !== 'stopping') return;
      notices.say('warn', words.noAnswer);
      engine.inference.end();
    }, PATIENCE);
  };

  return { run, cancel };
}
