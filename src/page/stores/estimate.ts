/** Seconds that the wanted run will take on this device, from what single calls were measured to need. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { DeviceSpeed } from '../../../workers/protocol.ts';
import type { Plan } from './plan.ts';

export interface Estimate {
  /** Null until the model has been opened on this device. */
  readonly seconds: number | null;
}

export type EstimateStore = StoreApi<Estimate>;

export function createEstimate(): EstimateStore {
  return createStore<Estimate>(() => ({ seconds: null }));
}

/**
 * Encoding the clip, the frames that the network computes, decoding what it believes after each row, and decoding the clip's
 * reconstruction and the result.
 * @param factor what the last runs took, over what this said.
 */
export function estimateSeconds(
  { frameEvaluations, beliefFrames, horizon }: Pick<Plan, 'frameEvaluations' | 'beliefFrames' | 'horizon'>,
  clipFrames: number,
  { networkFrame, decodeFrame, encodeFrame }: DeviceSpeed,
  factor = 1,
): number {
  // Of a longer clip only the frames that are predicted are looked at.
  const known = Math.min(clipFrames, horizon);
  const decoded = beliefFrames + known + horizon;
  return factor * (known * encodeFrame + frameEvaluations * networkFrame + decoded * decodeFrame);
}
