/** Threads on hosts that send no isolation headers: a service worker adds them, and the page comes once more. */

/** Kept for this tab while the service worker did not help, so that the page does not reload for ever. */
const TRIED = 'nanowm:isolation-tried';
/** Milliseconds in which a service worker takes the page over, or is not waited for. */
const PATIENCE = 3000;

/**
 * Resolves when the page is as isolated as it gets; does not when it reloads to become so.
 *
 * @param untouched whether nothing would be lost by a reload
 */
export async function isolate(untouched: () => boolean): Promise<void> {
  if (import.meta.env.DEV) return;
  if (crossOriginIsolated) {
    sessionStorage.removeItem(TRIED);
    return;
  }
  if (!isSecureContext || !('serviceWorker' in navigator) || sessionStorage.getItem(TRIED) !== null) return;
  sessionStorage.setItem(TRIED, 'yes');
  if (!(await takenOver()) || !untouched()) return;
  location.reload();
  await new Promise(() => undefined);
}

/** Whether a service worker holds this page now. */
async function takenOver(): Promise<boolean> {
  const { serviceWorker } = navigator;
  try {
    await serviceWorker.register('./isolation.js');
  } catch {
    return false; // forbidden by the browser's settings, or not served: one thread it is
  }
  for (const end = performance.now() + PATIENCE; performance.now() < end;) {
    if (serviceWorker.controller) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
