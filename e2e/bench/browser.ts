/** The built page in a real browser: first paint, a rollout on WASM, main-thread tasks, memory. */
import { type Page, chromium } from '@playwright/test';
import { type PreviewServer, preview } from 'vite';
import { ensureChromium } from '../chromium.ts';
import type {} from '../../src/page/testing.ts';
import type { Row } from './measure.ts';
import { median } from './measure.ts';

const runs = 3;

export async function browser(): Promise<Row[]> {
  const server = await preview({ preview: { port: 4189, strictPort: true }, logLevel: 'silent' });
  const instance = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--headless=new', '--no-sandbox', '--enable-precise-memory-info'],
  });
  try {
    const paints: number[] = [];
    for (let i = 0; i < runs; i++) paints.push(await firstPaint(instance, addressOf(server)));
    const run = await measureRun(instance, addressOf(server));
    return [
      {
        what: 'first paint with the recorded result, localhost',
        value: `${median(paints).toFixed(2)} s`,
        wanted: 'within 1 s',
      },
      {
        what: 'maze rollout in the page, WASM, 8 steps, sequential',
        value: `${run.seconds.toFixed(2)} s`,
        wanted: 'at most 3 s on two cores',
      },
      {
        what: 'longest main-thread task during that rollout',
        value: run.longest === 0 ? 'none over 50 ms' : `${String(Math.round(run.longest))} ms`,
        wanted: 'none over 50 ms',
      },
      {
        what: 'memory of the tab after it, workers included',
        value: `${String(Math.round(run.bytes / 1e6))} MB`,
        wanted: 'below 600 MB',
      },
    ];
  } finally {
    await instance.close();
    await server.close();
  }
}

type Browser = Awaited<ReturnType<typeof chromium.launch>>;

function addressOf(server: PreviewServer): string {
  return server.resolvedUrls!.local[0]!;
}

/** Seconds from navigation to the frame in which the recorded prediction stands on its canvas. */
async function firstPaint(instance: Browser, address: string): Promise<number> {
  const page = await instance.newPage();
  await page.goto(`${address}?testing`, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.playground?.frames());
  const time = await page.evaluate(
    () =>
      new Promise<number>((done) =>
        requestAnimationFrame(() => {
          done(performance.now());
        }),
      ),
  );
  await page.close();
  return time / 1000;
}

async function measureRun(instance: Browser, address: string) {
  const context = await instance.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${address}?testing#mode=sequential&steps=8&backend=wasm`);
  // Once to load and warm up, then the one that counts.
  await run(page);
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map((entry) => entry.duration));
    }).observe({ type: 'longtask' });
  });
  const seconds = await run(page);
  const longest = await page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks));
  const bytes = await page.evaluate(async () => {
    const memory = performance as unknown as {
      measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }>;
    };
    return (await memory.measureUserAgentSpecificMemory?.())?.bytes ?? NaN;
  });
  await context.close();
  return { seconds, longest, bytes };
}

/** Presses Run and waits for the result. Seconds. */
async function run(page: Page): Promise<number> {
  const computed = () =>
    page.evaluate(() => window.playground!.state().runs.filter(({ order }) => order >= 0).length);
  const before = await computed();
  const start = performance.now();
  // Not by its name alone: a clip's may begin as it does.
  await page.locator('.run-button', { hasText: /^Run$/ }).click();
  await page.waitForFunction(
    (count) => window.playground!.state().runs.filter(({ order }) => order >= 0).length > count,
    before,
    { timeout: 120_000 },
  );
  return (performance.now() - start) / 1000;
}
