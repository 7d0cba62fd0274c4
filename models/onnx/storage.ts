/** How weight matrices are kept in a graph's file. */

/** Single and half precision; whole numbers of 8 and 4 bits in blocks that share a scale (quantise.ts). */
export const STORAGES = ['fp32', 'fp16', 'q8', 'q4'] as const;
export type Storage = (typeof STORAGES)[number];

/** Bits of a quantised weight; null for the storages that keep floating point numbers. */
export function bitsOf(storage: Storage): 4 | 8 | null {
  if (storage === 'q8') return 8;
  return storage === 'q4' ? 4 : null;
}
