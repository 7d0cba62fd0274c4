/**
 * `npm run screens`: builds the page and takes pictures of its states at 1440 and 390 pixels, light and dark, into
 * e2e/screenshots, to be looked at; with --readme also e2e/pictures/studio.png.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import { build, preview } from 'vite';
import type { Command } from '../src/cli/command.ts';
import { runAlone } from '../src/cli/standalone.ts';
import type {} from '../src/page/testing.ts';
import { ensureChromium } from './chromium.ts';

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** The README's picture is fetched by everybody who looks at the project. */
const README_BYTES = 250_000;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const folder = here('screenshots');
const BUNDLE = here('../public/bundles/maze');

/** A fresh page, where it is served, and what takes its picture under a name. */
interface Set {
  readonly page: Page;
  readonly phone: boolean;
  readonly open: (hash?: string) => Promise<void>;
  readonly shoot: (name: string) => Promise<void>;
}

/** Each gets a page of its own and takes it through one or several states. */
const SCENES: readonly ((set: Set) => Promise<void>)[] = [
  async ({ page, open, shoot }) => {
    await page.route('**/bundles/**', () => new Promise(() => undefined));
    await open();
    await until(page, () => window.playground!.frames() !== null);
    await shoot('first');
  },
  async ({ page, open, shoot }) => {
    await page.route('**/{bundles,recorded}/**', () => new Promise(() => undefined));
    await open();
    await shoot('empty');
  },
  async ({ page, open, shoot }) => {
    await open('backend=wasm&steps=8');
    await ready(page);
    await page.locator('.run-button').click();
    await until(page, () => window.playground!.state().live.row > 9);
    await shoot('running');
    await runs(page, 1);
    await shoot('result');

    await page.getByRole('application').focus();
    for (let row = 0; row < 4; row++) await page.keyboard.press('ArrowDown');
    await shoot('matrix-read');
    await page.getByRole('application').blur();

    await page.keyboard.press('v');
    await page.locator('.measures').scrollIntoViewIfNeeded();
    await shoot('table');
    await page.keyboard.press('v');

    await page.keyboard.press('2');
    await page.locator('.stale').scrollIntoViewIfNeeded();
    await shoot('stale');
    await page.keyboard.press('r');
    await runs(page, 2);
    await page.locator('.runs').scrollIntoViewIfNeeded();
    await shoot('two-runs');
  },
  async ({ page, open, shoot }) => {
    await page.route('**/decode.onnx', (route) => route.fulfill({ status: 404, body: '' }));
    await open('backend=wasm');
    await page.locator('.run-button').click();
    await until(page, () => window.playground!.state().model === 'failed');
    await shoot('failed');
  },
  async ({ page, open, shoot }) => {
    await page.route('**/manifest.json', (route) => route.fulfill({ status: 404, body: '' }));
    await open();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await shoot('no-bundle');
  },
  async ({ page, open, shoot }) => {
    await open('clip=maze:umaze:2024&backend=wasm&steps=4&mode=pyramid&horizon=9');
    await page.locator('.run-button').click();
    await runs(page, 1);
    await shoot('episode');
  },
  async ({ page, open, shoot }) => {
    await open('screen=models&backend=wasm');
    await page.getByText('None of your own yet.').waitFor();
    await shoot('models');
    const files = page.getByLabel('Choose files').last();
    await files.setInputFiles(here('../index.html'));
    await page.getByRole('alert').waitFor();
    await shoot('models-refused');
    await files.setInputFiles(readdirSync(BUNDLE).map((name) => join(BUNDLE, name)));
    await page.getByRole('row', { name: 'Maze' }).nth(1).waitFor();
    await shoot('models-own');
    await page.getByRole('button', { name: 'Delete' }).click();
    await shoot('models-delete');
  },
  async ({ page, open, shoot }) => {
    await open('backend=wasm');
    await page.getByRole('button', { name: /^Self-test: / }).click();
    await shoot('self-test-empty');
    await until(page, () => window.playground!.state().trust === 'testing');
    await shoot('self-test-running');
    await until(page, () => window.playground!.state().trust === 'done');
    await shoot('self-test');
  },
  async ({ page, phone, open, shoot }) => {
    await open('steps=-3');
    await ready(page);
    await shoot('broken-link');
    await page.keyboard.press('?');
    await shoot('keys');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'About' }).click();
    await shoot('about');
    await page.keyboard.press('Escape');
    if (phone) {
      await page.getByRole('button', { name: 'Clips', exact: true }).click();
      await shoot('clips');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
    }
    await page.getByRole('textbox', { name: 'Steps' }).fill('-3');
    await shoot('settings');
  },
];

async function ready(page: Page): Promise<void> {
  await until(page, () => window.playground!.state().model === 'ready');
}

/** Waits for so many runs of this visit. */
async function runs(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => window.playground!.state().runs.filter(({ order }) => order >= 0).length === wanted,
    count,
    { timeout: 120_000 },
  );
}

async function until(page: Page, condition: () => boolean): Promise<void> {
  await page.waitForFunction(condition, null, { timeout: 120_000, polling: 30 });
}

const command: Command = {
  summary: 'Builds the page and takes pictures of its states into e2e/screenshots.',
  usage: '',
  options: { readme: { type: 'boolean', help: 'also take e2e/pictures/studio.png' } },
  async run(args) {
    const readme = args.flag('readme');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const outDir = mkdtempSync(join(tmpdir(), 'screens-'));
    await build({ build: { outDir }, logLevel: 'error' });
    const server = await preview({ build: { outDir }, preview: { port: 4188 }, logLevel: 'silent' });
    const address = server.resolvedUrls!.local[0]!;
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: ['--headless=new', '--no-sandbox'],
    });
    for (const [device, viewport] of Object.entries(SIZES)) {
      const phone = device === 'phone';
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const scene of SCENES) {
          await args.pause();
          const touch = phone ? { hasTouch: true, isMobile: true } : {};
          const context = await browser.newContext({ viewport, colorScheme, ...touch });
          const page = await context.newPage();
          await scene({
            page,
            phone,
            open: async (hash = '') => {
              await page.goto(`${address}?testing#${hash}`);
              await page.locator('figure[data-kind=truth] canvas, main.models').first().waitFor();
            },
            shoot: async (name) => {
              // Charts and thumbnails come a moment after what they show.
              if (!name.endsWith('running')) await page.waitForTimeout(600);
              await page.screenshot({ path: `${folder}/${device}-${colorScheme}-${name}.png` });
              if (readme && name === 'result' && !phone && colorScheme === 'light') await picture(page);
            },
          });
          await context.close();
        }
      }
    }
    await browser.close();
    await server.close();
    rmSync(outDir, { recursive: true });
  },
};

async function picture(page: Page): Promise<void> {
  const path = here('pictures/studio.png');
  mkdirSync(here('pictures'), { recursive: true });
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > README_BYTES) {
    throw new Error(`pictures/studio.png has ${size} bytes, at most ${README_BYTES} are wanted`);
  }
}

await runAlone('screens', command);
// A browser that was left open would keep the process.
process.exit();
