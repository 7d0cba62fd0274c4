/** When nothing else is to do. */

/** Milliseconds that must pass without anything wanted before the page takes up work of its own. */
const QUIET = 1500;

/** Soon, but behind what the browser has to do now. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 500);
}

/** After a while, and then when the browser is idle. @returns what calls it off. */
export function whenQuiet(work: () => void): () => void {
  let wanted = true;
  const timer = window.setTimeout(
    () =>
      whenIdle(() => {
        if (wanted) work();
      }),
    QUIET,
  );
  return () => {
    wanted = false;
    window.clearTimeout(timer);
  };
}
