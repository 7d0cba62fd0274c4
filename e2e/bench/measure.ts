/** Small tools of the benchmarks: medians, clocks, tables. */

export interface Row {
  readonly what: string;
  readonly value: string;
  /** What issue or design asks for; shown, never asserted. */
  readonly wanted: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Seconds that `action` takes: the median of `repeats` after one warm-up. */
export async function seconds(action: () => unknown, repeats = 5): Promise<number> {
  await action();
  const times: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    await action();
    times.push((performance.now() - start) / 1000);
  }
  return median(times);
}
