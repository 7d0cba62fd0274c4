/** Which bytes of a file are here: half-open intervals [start, end), sorted, apart from each other. */

export type Range = readonly [start: number, end: number];

/** `ranges` with [start, end) added, neighbours joined. */
export function withRange(ranges: readonly Range[], start: number, end: number): Range[] {
  if (end <= start) return [...ranges];
  const before = ranges.filter((range) => range[1] < start);
  const after = ranges.filter((range) => range[0] > end);
  const touched = ranges.slice(before.length, ranges.length - after.length);
  const first = Math.min(start, ...touched.map((range) => range[0]));
  const last = Math.max(end, ...touched.map((range) => range[1]));
  return [...before, [first, last], ...after];
}

/** Bytes that are here. */
export function bytesOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
}

/** Bytes from the file's first on that are here without a gap. */
export function prefixOf(ranges: readonly Range[]): number {
  const first = ranges[0];
  return first?.[0] === 0 ? first[1] : 0;
}

/**
 * What is not here of `total` bytes, in the file's order, cut so that no piece goes over a multiple of `size`: a
 * download that is continued asks for the same pieces as one that was never broken.
 */
export function piecesMissing(ranges: readonly Range[], total: number, size: number): Range[] {
  const pieces: Range[] = [];
  let at = 0;
  for (const [start, end] of [...ranges, [total, total] as const]) {
    while (at < start) {
      const next = Math.min(start, (Math.floor(at / size) + 1) * size);
      pieces.push([at, next]);
      at = next;
    }
    at = Math.max(at, end);
  }
  return pieces;
}

/** Ranges from outside, checked: null when they are no such list, or go past `size` bytes. */
export function readRanges(json: unknown, size: number): Range[] | null {
  if (!Array.isArray(json)) return null;
  let ranges: Range[] = [];
  let last = -1;
  for (const range of json as unknown[]) {
    if (!Array.isArray(range) || range.length !== 2) return null;
    const [start, end] = range as unknown[];
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end)) return null;
    if ((start as number) <= last || (end as number) <= (start as number) || (end as number) > size)
      return null;
    last = end as number;
    ranges = withRange(ranges, start as number, end as number);
  }
  return ranges;
}

/** What `Content-Range` says of a part. */
export interface ContentRange {
  /** [start, end) of the bytes that follow; null for `bytes *\/1000`, which comes with a 416. */
  readonly part: Range | null;
  /** Bytes of the whole file; null when the server does not know (`*`). */
  readonly total: number | null;
}

/** `bytes 0-99/1000` (RFC 9110, section 14.4); null when it is missing or makes no sense. */
export function readContentRange(header: string | null): ContentRange | null {
  const match = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i.exec(header ?? '');
  if (!match) return null;
  const total = match[3] === '*' ? null : Number(match[3]);
  if (total !== null && !Number.isSafeInteger(total)) return null;
  if (match[1] === undefined) return { part: null, total };
  const start = Number(match[1]);
  const end = Number(match[2]) + 1;
  const sane = Number.isSafeInteger(end) && start < end && (total === null || end <= total);
  return sane ? { part: [start, end], total } : null;
}
