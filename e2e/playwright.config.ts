import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { dist, port } from './built.ts';
import { ensureChromium } from './chromium.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  // One worker: the machine has two cores and the runtime uses both.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // On a machine that other work starves a journey may miss its patience; it is told as flaky, not hidden.
  retries: process.env['CI'] ? 1 : 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    baseURL: `http://localhost:${String(port)}/`,
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: ensureChromium(),
      args: [
        '--headless=new',
        '--no-sandbox',
        // The software adapter, so that the real WebGPU path runs where there is no GPU.
        '--enable-unsafe-webgpu',
        '--use-webgpu-adapter=swiftshader',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    command: `npx vite build --logLevel warn --outDir ${dist} --emptyOutDir && npx vite preview --outDir ${dist} --port ${String(port)} --strictPort`,
    url: `http://localhost:${String(port)}/`,
    timeout: 180_000,
    reuseExistingServer: !process.env['CI'],
  },
});
