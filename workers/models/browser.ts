/** What the browser offers around its file system: locks between tabs, and how much room there is. */
import type { StorageReport } from '../protocol.ts';
import type { Lock } from './bundles.ts';

/** Web Locks; where there are none, a tab is taken to be alone. */
export const tabLock: Lock = async (name, work) => {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return { done: await work() };
  return locks.request(`nanowm-playground-model-${name}`, { ifAvailable: true }, async (lock) =>
    lock === null ? null : { done: await work() },
  );
};

export async function storageReport(): Promise<StorageReport> {
  const storage = navigator.storage as StorageManager | undefined;
  const estimate = await storage?.estimate().catch(() => null);
  const persisted = await storage?.persisted().catch(() => null);
  return {
    used: estimate?.usage ?? null,
    quota: estimate?.quota ?? null,
    persisted: persisted ?? null,
  };
}
