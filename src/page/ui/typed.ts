/** Numbers as they are typed into a field. */

/** The number, or NaN for what people do not call one: nothing at all, `0x1F`, `Infinity`. */
export function typed(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
}
