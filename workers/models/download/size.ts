/** Sizes as sentences say them: `2.23 GB`, `14.2 MB`, `912 bytes`. */
export function sizeInWords(bytes: number): string {
  for (const [unit, size] of UNITS) {
    // A number that would round to 1000 of this unit belongs to the next one.
    if (bytes >= 0.9995 * size) return `${(bytes / size).toPrecision(3)} ${unit}`;
  }
  return bytes === 1 ? '1 byte' : `${String(bytes)} bytes`;
}

const UNITS = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;
