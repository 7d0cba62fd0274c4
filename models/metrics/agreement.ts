/** Whether two backends give the same numbers, and whether numbers are alive at all: the self-test's judgement. */

/** `nan`: at least one is not a number; `overflow`: at least one is infinite; `zero`: nothing but zeros. */
export type Health = 'ok' | 'nan' | 'overflow' | 'zero';
export type Verdict = 'same' | 'close' | 'off';

/**
 * Largest deviations, relative to the largest value of the reference.
 *
 * `same`: float32 on both sides, summed in another order. 24 bits are 6e-8 for one operation; the maze model's graphs
 * on WebGPU (a software adapter) deviate from WASM by 6e-7 to 2e-6, so 1e-4 leaves room for networks many times as
 * deep.
 *
 * `close`: float16 arithmetic or quantised weights somewhere. 11 bits are 5e-4 for one operation, and tens of
 * layers make it about 1e-2. 2e-2 of a picture's range [-1, 1] is 2.5 of 255 grey levels: measures see it, eyes do
 * not. What lies beyond is no rounding.
 */
export const LIMITS = { same: 1e-4, close: 2e-2 } as const;

/** The worst that can be said of the numbers: NaN before infinity before zeros. An empty list is all zeros. */
export function healthOf(values: Float32Array): Health {
  let health: Health = 'zero';
  for (const value of values) {
    if (Number.isNaN(value)) return 'nan';
    if (!Number.isFinite(value)) health = 'overflow';
    else if (value !== 0 && health === 'zero') health = 'ok';
  }
  return health;
}

/** Largest absolute value; NaN when there is one, 0 for an empty list. */
export function largestOf(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/**
 * Largest difference relative to the reference's largest value. NaN when either holds a NaN, the lengths differ or
 * the reference is all zeros: then nothing is at most anything.
 */
export function deviationOf(values: Float32Array, reference: Float32Array): number {
  if (values.length !== reference.length) return NaN;
  const furthest = values.reduce((most, value, i) => Math.max(most, Math.abs(value - reference[i]!)), 0);
  return furthest / largestOf(reference);
}

/** @param deviation null when there was nothing to compare with: then healthy numbers get no verdict */
export function verdictOf(health: Health | 'error', deviation: number | null): Verdict | null {
  if (health !== 'ok') return 'off';
  if (deviation === null) return null;
  if (deviation <= LIMITS.same) return 'same';
  return deviation <= LIMITS.close ? 'close' : 'off';
}

/** The worst of several; null when none was given. */
export function worstOf(verdicts: readonly (Verdict | null)[]): Verdict | null {
  return (['off', 'close', 'same'] as const).find((verdict) => verdicts.includes(verdict)) ?? null;
}
