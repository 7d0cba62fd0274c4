/** The buffer that a run under way writes its beliefs into. */
import type { RunEvent } from '../../../workers/protocol.ts';
import type { Prediction } from './scene.ts';

export interface RolloutShape {
  /** Frames of the whole rollout. */
  readonly horizon: number;
  readonly context: number;
  readonly height: number;
  readonly width: number;
  /** Frames that each window adds before it slides. */
  readonly keep: number;
}

export interface LiveFrames {
  readonly prediction: Prediction;
  /** Every belief so far [windows][rows], as it came. */
  readonly beliefs: Uint8Array[][];
  /** A run that begins anew, on another device, forgets what it believed. */
  restart(): void;
  /** Puts the belief uint8 [F, H, W, 3] of a window in its place; frames past the end of the rollout are left out. */
  put(event: Pick<Extract<RunEvent, { kind: 'row' }>, 'window' | 'belief'>): void;
}

export function createLiveFrames({ horizon, context, height, width, keep }: RolloutShape): LiveFrames {
  const frame = height * width * 3;
  const data = new Uint8Array(horizon * frame);
  const known = new Array<boolean>(horizon).fill(false);
  const beliefs: Uint8Array[][] = [];
  return {
    beliefs,
    restart: () => {
      beliefs.length = 0;
      known.fill(false);
    },
    prediction: { frames: { data, count: horizon, height, width }, context, known },
    put: ({ window, belief }) => {
      if (!belief) return;
      const start = window * keep;
      const count = Math.min(belief.length / frame, horizon - start);
      data.set(belief.subarray(0, count * frame), start * frame);
      known.fill(true, start, start + count);
      (beliefs[window] ??= []).push(belief);
    },
  };
}
