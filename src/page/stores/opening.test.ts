import { afterEach, expect, test, vi } from 'vitest';
import type { InferenceWorker, LoadProgress } from '../../../workers/protocol.ts';
import { invalid } from '../../../models/errors.ts';
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

test('progress that comes after loading has failed leaves the failure where it is', async () => {
  vi.stubGlobal('document', { baseURI: 'http://localhost/' });
  let tell: (progress: LoadProgress) => void = () => undefined;
  const worker: Pick<InferenceWorker, 'open'> = {
    open: (_, onProgress) => {
      tell = onProgress;
      onProgress(PROGRESS);
      return Promise.reject(invalid('weights', 'decode.onnx', 'altered; publish it again'));
    },
  };
  const inference = { call: (work: (it: typeof worker) => unknown) => work(worker), end: () => undefined };
  const model = createModel();
  const seen: string[] = [];
  model.subscribe(({ status }) => seen.push(status));
  const opening = createOpening(model, { inference } as unknown as Engine);

  await expect(opening.open({ bundle: 'maze', backend: 'wasm' })).rejects.toThrow(/altered/);
  expect(seen).toEqual(['loading', 'loading', 'failed']);
  tell(PROGRESS);
  expect(model.getState().status).toBe('failed');
});
