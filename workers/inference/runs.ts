/** Which runs have been asked to stop. Runs that have not begun yet can be cancelled too. */
export interface Runs {
  /** Does `work` under the id; `cancelled` answers whether somebody has asked it to stop. */
  during<T>(id: string, work: (cancelled: () => boolean) => Promise<T>): Promise<T>;
  /** An id that is not running or waiting is nobody's, and nothing happens. */
  cancel(id: string): void;
}

export function createRuns(): Runs {
  const live = new Map<string, { cancelled: boolean }>();
  return {
    async during(id, work) {
      const run = { cancelled: false };
      live.set(id, run);
      try {
        return await work(() => run.cancelled);
      } finally {
        live.delete(id);
      }
    },
    cancel(id) {
      const run = live.get(id);
      if (run) run.cancelled = true;
    },
  };
}
