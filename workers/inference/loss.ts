/** Watches a WebGPU device: a run on a lost one may neither fail nor end (facts/onnxruntime-web.md). */
import { PlaygroundError } from '../../models/errors.ts';

/** Tells a lost device from a graph that does not work: the one can be answered by the next rung. */
export class DeviceLost extends PlaygroundError {
  constructor(reason: string) {
    super('unsupported', `WebGPU lost its device (${reason}); reload the page to try it again`);
  }
}

export interface Watch {
  /** `work`, unless the device is lost before it ends. @throws DeviceLost */
  guard<T>(work: () => Promise<T>): Promise<T>;
}

/** @param device null on WASM, which cannot be lost */
export function watch(device: Pick<GPUDevice, 'lost'> | null): Watch {
  if (!device) return { guard: (work) => work() };
  let loss: DeviceLost | null = null;
  const lost = device.lost.then(({ message, reason }) => {
    loss = new DeviceLost(message || reason);
    throw loss;
  });
  lost.catch(() => undefined);
  return {
    async guard(work) {
      try {
        const result = await Promise.race([work(), lost]);
        if (loss) throw loss;
        return result as Awaited<ReturnType<typeof work>>;
      } catch (error) {
        throw loss ?? error;
      }
    },
  };
}
