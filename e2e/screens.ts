/**
 * `npm run screens`: pictures of the page's states at 1440 and 390 pixels, light and dark, into e2e/screenshots, to be
 * looked at; with --readme also e2e/pictures/studio.png. Wants a built page (npm run build).
 */
import { mkdirSync } from 'node:fs';
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import type {} from '../src/page/testing.ts';
import { preview } from 'vite';
import { ensureChromium } from './chromium.ts';

const folder = 'e2e/screenshots';
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
mkdirSync(folder, { recursive: true });

const server = await preview({ preview: { port: 4188, strictPort: true }, logLevel: 'silent' });
const address = server.resolvedUrls!.local[0]!;
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: ['--headless=new', '--no-sandbox'],
});

for (const [device, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport, colorScheme });
    const shoot = (state: string) =>
      page.screenshot({ path: `${folder}/${device}-${colorScheme}-${state}.png` });
    await page.goto(`${address}?testing#backend=wasm`);
    await page.waitForFunction(() => window.playground?.frames());
    await shoot('first');
    await page.waitForFunction(() => window.playground!.state().model === 'ready', null, { timeout: 90_000 });
    await page.locator('.run-button').first().click();
    await page.waitForFunction(() => window.playground!.state().live.row > 9, null, { timeout: 90_000 });
    await shoot('running');
    await finished(page);
    await shoot('result');
    if (process.argv.includes('--readme') && device === 'desktop' && colorScheme === 'light') {
      mkdirSync('e2e/pictures', { recursive: true });
      await page.screenshot({ path: 'e2e/pictures/studio.png' });
    }
    await page.keyboard.press('2');
    await page.waitForTimeout(300);
    await shoot('stale');
    await page.keyboard.press('?');
    await page.waitForTimeout(300);
    await shoot('keys');
    await page.goto('about:blank');
    await page.route('**/decode.onnx', (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(`${address}?testing#backend=wasm&steps=-3`);
    await page.waitForFunction(() => window.playground!.state().model === 'failed', null, {
      timeout: 90_000,
    });
    await shoot('failed');
    await page.close();
  }
}
await browser.close();
await server.close();

async function finished(page: Page): Promise<void> {
  await page.waitForFunction(
    () => window.playground!.state().runs.some(({ recordedOn }) => recordedOn === null),
    null,
    { timeout: 120_000 },
  );
  await page.waitForTimeout(800);
}
