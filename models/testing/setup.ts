/** Vitest setup: registers the tolerance matcher. */
import { expect } from 'vitest';
import { toBeCloseTensor } from './close.ts';
import type { Numbers, Tolerance } from './close.ts';

expect.extend({ toBeCloseTensor });

declare module 'vitest' {
  interface Matchers<T> {
    /** Every element within the tolerance; equal (NaN included) without one. */
    toBeCloseTensor(expected: Numbers, tolerance?: Tolerance): T;
  }
}
