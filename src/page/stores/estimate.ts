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
 * Encoding the clip, the calls of the network, and decoding: every frame of the window after every row (what the
 * model believes so far), and the result.
 * @param factor what the last runs took, over what this said.
 */
export function estimateSeconds(
  { networkCalls, frames, horizon }: Pick<Plan, 'networkCalls' | 'frames' | 'horizon'>,
  { windowCall, decodeFrame, encodeFrame }: DeviceSpeed,
  factor = 1,
): number {
  const beliefs = networkCalls * frames * decodeFrame;
  // The clip's reconstruction is decoded as well as the result.
  return factor * (horizon * encodeFrame + networkCalls * windowCall + beliefs + 2 * horizon * decodeFrame);
}
