/** Tries one backend after the other and keeps a sentence about each that was left. */
import { firstLine } from './words.ts';

export interface Climbed<T> {
  readonly value: T;
  /** One sentence for each rung that was tried and left, first tried first. */
  readonly fallbacks: readonly string[];
}

/**
 * The first rung that works.
 *
 * @param attempt does everything that shows that a rung works; throws to leave it
 * @throws the last rung's error when none works
 */
export async function climb<R, T>(
  rungs: readonly R[],
  attempt: (rung: R) => Promise<T>,
): Promise<Climbed<T> & { rung: R }> {
  const fallbacks: string[] = [];
  for (const [index, rung] of rungs.entries()) {
    try {
      return { rung, value: await attempt(rung), fallbacks };
    } catch (error) {
      if (index === rungs.length - 1) throw error;
      fallbacks.push(asSentence(firstLine(error)));
    }
  }
  throw new RangeError('a ladder needs at least one rung');
}

function asSentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}
