import { afterEach, expect, test, vi } from 'vitest';
import type { InferenceWorker, LoadProgress } from '../../../workers/protocol.ts';
import { aborted, invalid } from '../../../models/errors.ts';
import type { Engine } from '../engine/workers.ts';
import { createModel } from './model.ts';
import { createOpening } from './opening.ts';

const PROGRESS: LoadProgress = {
  stage: 'verify',
  file: 'decode.onnx',
  loadedBytes: 1,
  totalBytes: 1,
  stored: false,
  secondsLeft: null,
};

afterEach(() => vi.unstubAllGlobals());

test('loading that fails ends its worker, and progress that comes late leaves the failure where it is', async () => {
  vi.stubGlobal('document', { baseURI: 'http://localhost/' });
  let tell: (progress: LoadProgress) => void = () => undefined;
  const worker: Pick<InferenceWorker, 'open'> = {
    open: (_, onProgress) => {
      tell = onProgress;
      onProgress(PROGRESS);
      return Promise.reject(invalid('weights', 'decode.onnx', 'altered; publish it again'));
    },
  };
  const end = vi.fn();
  const inference = { call: (work: (it: typeof worker) => unknown) => work(worker), end };
  const model = createModel();
  const seen: string[] = [];
  model.subscribe(({ status }) => seen.push(status));
  const opening = createOpening(model, { inference } as unknown as Engine);

  await expect(opening.open({ bundle: 'maze', backend: 'wasm' })).rejects.toThrow(/altered/);
  expect(seen).toEqual(['loading', 'loading', 'failed']);
  // The next try has a worker of its own.
  expect(end).toHaveBeenCalledOnce();
  tell(PROGRESS);
  expect(model.getState().status).toBe('failed');
});

/** A worker whose calls end when the test says so, and what it was asked for, in order. */
function slowWorker() {
  const asked: string[] = [];
  const waiting: { name: string; end: (value: unknown) => void; break: (error: Error) => void }[] = [];
  const slow = (name: string) => () => {
    asked.push(name);
    return new Promise((resolve, reject) => waiting.push({ name, end: resolve, break: reject }));
  };
  const worker = { open: slow('open'), forget: slow('forget') };
  const inference = {
    call: (work: (it: typeof worker) => unknown) => work(worker),
    end: () => {
      asked.push('end');
      for (const call of waiting.splice(0)) call.break(aborted('the worker'));
    },
  };
  const answer = (name: string, value: unknown) => waiting.find((call) => call.name === name)!.end(value);
  return { asked, answer, engine: { inference } as unknown as Engine };
}

test('removing the kept files stops loading, and a model that is asked for meanwhile is loaded anew after it', async () => {
  vi.stubGlobal('document', { baseURI: 'http://localhost/' });
  const { asked, answer, engine } = slowWorker();
  const model = createModel();
  const opening = createOpening(model, engine);
  const wanted = { bundle: 'maze', backend: 'wasm' } as const;

  const first = opening.open(wanted);
  const freed = opening.remove();
  await expect(first).rejects.toMatchObject({ name: 'aborted' });
  expect(opening.removing.getState()).toBe(true);
  expect(asked).toEqual(['open', 'end', 'forget']);

  const again = opening.open(wanted);
  await Promise.resolve();
  expect(asked).toEqual(['open', 'end', 'forget']);
  answer('forget', 1234);
  expect(await freed).toBe(1234);
  expect(opening.removing.getState()).toBe(false);
  await vi.waitFor(() => expect(asked).toEqual(['open', 'end', 'forget', 'end', 'open']));
  answer('open', { stored: false });
  expect(await again).toEqual({ stored: false });
  expect(model.getState().status).toBe('ready');
});

test('removing that fails leaves the model to be opened again', async () => {
  vi.stubGlobal('document', { baseURI: 'http://localhost/' });
  const { asked, answer, engine } = slowWorker();
  const opening = createOpening(createModel(), engine);
  const freed = opening.remove();
  const opened = opening.open({ bundle: 'maze', backend: 'wasm' });
  engine.inference.end();
  await expect(freed).rejects.toMatchObject({ name: 'aborted' });
  await vi.waitFor(() => expect(asked.at(-1)).toBe('open'));
  answer('open', { stored: true });
  expect(await opened).toEqual({ stored: true });
});
