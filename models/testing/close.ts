/** A tolerance matcher for tensors: one number says how far two arrays are apart. */
export interface Tolerance {
  /** Largest allowed |difference| as a share of the largest |expected|. */
  readonly relativeToLargest?: number;
  /** Largest allowed |difference|. An element passes when either limit holds. */
  readonly absolute?: number;
}
export type Numbers = ArrayLike<number>;

/** Largest |difference|, where it is, and the largest |expected|; a NaN on one side counts as infinite. */
export function largestDifference(received: Numbers, expected: Numbers) {
  let difference = 0;
  let index = -1;
  let largest = 0;
  for (let i = 0; i < expected.length; i++) {
    largest = Math.max(largest, Math.abs(expected[i]) || 0);
    const same = Object.is(received[i], expected[i]);
    const gap = same ? 0 : Math.abs(received[i] - expected[i]);
    const size = Number.isNaN(gap) ? Infinity : gap;
    if (size > difference) [difference, index] = [size, i];
  }
  return { difference, index, largest };
}

/** Vitest matcher: `expect(array).toBeCloseTensor(expected, { relativeToLargest: 2e-5 })`. */
export function toBeCloseTensor(received: Numbers, expected: Numbers, tolerance: Tolerance = {}) {
  if (received.length !== expected.length) {
    const message = () => `expected ${expected.length} elements, received ${received.length}`;
    return { pass: false, message };
  }
  const { difference, index, largest } = largestDifference(received, expected);
  const limit = Math.max((tolerance.relativeToLargest ?? 0) * largest, tolerance.absolute ?? 0);
  const message = () =>
    `largest difference ${difference} at element ${index} (received ${received[index]}, expected ` +
    `${expected[index]}); the limit is ${limit}, the largest expected value ${largest}`;
  return { pass: difference <= limit, message };
}
