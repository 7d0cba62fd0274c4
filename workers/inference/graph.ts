/** A graph on its own, on the backend that was asked for and no other: for self-tests. */
import type { GraphRequest, InferenceWorker, PlainTensor } from '../protocol.ts';
import { unsupported } from '../../models/errors.ts';
import { openPlatform } from './platform.ts';
import type { Queue } from './queue.ts';
import { openSession } from './session.ts';

/** @throws one sentence when the backend is not there, cannot hold the graph or gives no float32 */
export async function runGraph(request: GraphRequest, queue: Queue): ReturnType<InferenceWorker['runGraph']> {
  const { model, backend, allowSoftware, inputs } = request;
  const platform = await openPlatform(backend, allowSoftware, queue);
  try {
    const session = await openSession(platform, { name: 'handed over', model, shards: [] }, request.verbose);
    try {
      const feeds = Object.entries(inputs).map(
        ([name, tensor]) => [name, { dtype: 'float32', ...tensor }] as const,
      );
      const results = await session.run(Object.fromEntries(feeds));
      const outputs: Record<string, PlainTensor> = {};
      for (const [name, { dtype, shape, data }] of Object.entries(results)) {
        if (!(data instanceof Float32Array)) {
          throw unsupported('output', `${name} (${dtype})`, 'a graph gives float32 at its boundary');
        }
        outputs[name] = { shape, data };
      }
      return { outputs, device: platform.report };
    } finally {
      await session.release();
    }
  } finally {
    platform.close();
  }
}
