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
  // One listener on `device.lost`, not a race with it for each call: a promise that lives as long as the device
  // would keep every result that ever raced with it.
  const waiting = new Set<(loss: DeviceLost) => void>();
  void device.lost.then(({ message, reason }) => {
    loss = new DeviceLost(message || reason);
    for (const giveUp of waiting) giveUp(loss);
  });
  return {
    async guard(work) {
      if (loss) throw loss;
      let giveUp: (loss: DeviceLost) => void = () => undefined;
      const lost = new Promise<never>((_, reject) => (giveUp = reject));
      waiting.add(giveUp);
      try {
        const result = await Promise.race([work(), lost]);
        if (loss) throw loss as DeviceLost;
        return result;
      } catch (error) {
        throw loss ?? error;
      } finally {
        waiting.delete(giveUp);
      }
    },
  };
}
