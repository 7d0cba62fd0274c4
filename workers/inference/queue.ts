/**
 * One task at a time, in the order in which they were asked for. onnxruntime hangs its worker when two
 * runs overlap, whichever sessions they belong to (facts/onnxruntime-web.md, "Bundles and loading").
 */
export type Queue = <T>(task: () => Promise<T>) => Promise<T>;

/** A task that fails rejects for its own caller only; those behind it still run. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
