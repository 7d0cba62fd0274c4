import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['models/**/*.test.ts', 'workers/**/*.test.ts', 'src/**/*.test.ts'],
    setupFiles: ['models/testing/setup.ts'],
    // Graph tests share two cores with the runtime's own threads.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
