/** A large checkpoint converted in the page: time, longest task of the main thread, memory of the renderer. */
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { build, preview } from 'vite';
import { ensureChromium } from '../chromium.ts';

export interface PageConversion {
  readonly seconds: number;
  /** Milliseconds; 0 when none was over 50. */
  readonly longest: number;
  /** Bytes of the largest renderer process, before and at most (Linux only). */
  readonly before: number;
  readonly peak: number;
}

/** @param weights path of the file @param dtype as the form names it */
export async function convertedInPage(
  weights: string,
  dtype: string,
  outDir: string,
): Promise<PageConversion> {
  await build({ build: { outDir, emptyOutDir: true }, logLevel: 'error' });
  const server = await preview({ build: { outDir }, preview: { port: 4190 }, logLevel: 'silent' });
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--headless=new', '--no-sandbox'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.resolvedUrls!.local[0]!}?testing#screen=models&backend=wasm`);
    await page.getByText('None of your own yet.').waitFor();
    await page.getByLabel('Choose files').last().setInputFiles(weights);
    await page.getByRole('radio', { name: new RegExp(`^${dtype}`) }).check();
    const renderers = await renderersOf(browser);
    renderers.forEach(forgetPeak);
    const before = Math.max(...renderers.map(peakOf));
    await watchTasks(page);
    const began = performance.now();
    await page.getByRole('button', { name: 'Convert' }).click();
    await page.getByText('is here and checked.').waitFor({ timeout: 1_200_000 });
    const seconds = (performance.now() - began) / 1000;
    const peak = Math.max(...renderers.map(peakOf));
    const longest = await page.evaluate(() => Math.max(0, ...(window as unknown as Tasks).tasks));
    return { seconds, longest, before, peak };
  } finally {
    await browser.close();
    await server.close();
  }
}

interface Tasks {
  readonly tasks: number[];
}

async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      entryTypes: ['longtask'],
    });
  });
}

/** Process ids. Workers live in their page's renderer. */
async function renderersOf(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** Linux: from now on the peak is counted anew. */
function forgetPeak(id: number): void {
  writeFileSync(`/proc/${String(id)}/clear_refs`, '5');
}

/** Bytes of resident memory at most. */
function peakOf(id: number): number {
  const status = readFileSync(`/proc/${String(id)}/status`, 'utf8');
  return 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN);
}
