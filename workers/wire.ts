/** What comlink needs to be told: which memory to hand over instead of copying, and when a callback is done with. */
import { releaseProxy, transfer } from 'comlink';

/**
 * `value`, with the memory of all its arrays moved to the other thread. Only for values that this thread made
 * for the purpose: its own copies are empty afterwards.
 */
export function handOver<T extends object>(value: T): T {
  return transfer(value, buffersOf(value));
}

/** Every ArrayBuffer in plain objects, lists and typed arrays, each once. Shared memory cannot move and stays. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (part: unknown): void => {
    if (ArrayBuffer.isView(part)) part = part.buffer;
    if (part instanceof ArrayBuffer) found.add(part);
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(visit);
  };
  visit(value);
  return [...found];
}

/**
 * Lets `work` call back into the other thread, and gives the callback's port back at the end: comlink keeps
 * one open for every function that was ever passed.
 */
export async function withCallback<E extends object, T>(
  callback: (event: E) => void,
  work: (tell: (event: E) => void) => Promise<T>,
): Promise<T> {
  try {
    return await work((event) => {
      // A listener that fails must not fail the work.
      Promise.resolve(callback(handOver(event)) as unknown).catch(() => undefined);
    });
  } finally {
    (callback as { [releaseProxy]?: () => void })[releaseProxy]?.();
  }
}
