/**
 * The page as its visitor has it: what can be pressed, what can be read, and what must never happen on it. Journeys
 * take `test` from here; a console error, or a request that leaves the origin, fails the journey in which it came.
 */
import { createHash } from 'node:crypto';
import { expect, test as base } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { PlaygroundState, RunSummary } from '../src/page/testing.ts';
import { watch } from './watch.ts';
import type { Watched } from './watch.ts';

/** Milliseconds in which a model opens or a short run ends, even on a machine that has other things to do. */
const PATIENCE = 90_000;

export type Mode = 'Full' | 'Pyramid' | 'Sequential' | 'Lag';

export class Studio {
  constructor(
    readonly page: Page,
    readonly watched: Watched,
  ) {}

  /** @param address what stands behind the #. */
  async open(address = '', base = './'): Promise<void> {
    // Another address behind the same page would not load it anew.
    await this.page.goto('about:blank');
    await this.page.goto(`${base}?testing${address === '' ? '' : `#${address}`}`);
    await this.alive();
  }

  /** The page stands, with its clip in the picture. */
  async alive(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Truth' })).toBeVisible();
    await expect
      .poll(async () => (await this.picture('truth')).colours, { timeout: PATIENCE })
      .toBeGreaterThan(8);
  }

  // What it says about itself.

  state(): Promise<PlaygroundState> {
    return this.page.evaluate(() => window.playground!.state());
  }

  /** Bytes of the shown run, uint8 [T, H, W, 3]. */
  async frames(): Promise<Uint8Array> {
    const text = await this.page.evaluate(() => {
      const bytes = window.playground!.frames();
      return bytes && btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ''));
    });
    if (text === null) throw new Error('the page shows no run');
    return new Uint8Array(Buffer.from(text, 'base64'));
  }

  async framesHash(): Promise<string> {
    return createHash('sha256')
      .update(await this.frames())
      .digest('hex');
  }

  /** The runs of this visit, the recorded one left out. */
  async runs(): Promise<readonly RunSummary[]> {
    return (await this.state()).runs.filter(({ recordedOn }) => recordedOn === null);
  }

  async shown(): Promise<RunSummary> {
    const { runs, shown } = await this.state();
    const run = runs.find(({ id }) => id === shown);
    if (!run) throw new Error('the page shows no run');
    return run;
  }

  /** Pixels of one of the three pictures as they are painted, RGB, and how many different colours there are. */
  picture(kind: 'truth' | 'prediction' | 'difference'): Promise<{ rgb: number[]; colours: number }> {
    return this.page.evaluate((name) => {
      const canvas = document.querySelector<HTMLCanvasElement>(`figure[data-kind=${name}] canvas`);
      const image = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
      if (!image) return { rgb: [], colours: 0 };
      const rgb = Array.from(image.data).filter((_, i) => i % 4 !== 3);
      return { rgb, colours: new Set(new Uint32Array(image.data.buffer)).size };
    }, kind);
  }

  /** The painted prediction is the shown run's frame under the cursor, byte for byte. */
  async paintsItsFrame(): Promise<void> {
    const { frame } = await this.state();
    const frames = await this.frames();
    const painted = async () => {
      const { rgb } = await this.picture('prediction');
      return Buffer.from(rgb).equals(frames.subarray(frame * rgb.length, (frame + 1) * rgb.length));
    };
    await expect.poll(painted).toBe(true);
  }

  address(): string {
    return new URL(this.page.url()).hash.slice(1);
  }

  /** Waits until the address says what is set; it is written a moment after the last change. */
  async addressSays(text: string): Promise<void> {
    await expect.poll(() => this.address()).toContain(text);
  }

  async modelReady(): Promise<void> {
    await expect.poll(async () => (await this.state()).model, { timeout: PATIENCE }).toBe('ready');
  }

  // What can be pressed.

  get runButton(): Locator {
    return this.page.locator('.run-button', { hasText: 'Run' });
  }

  get cancelButton(): Locator {
    return this.page.locator('.run-button', { hasText: 'Cancel' });
  }

  /** What the run will cost, in words, as it stands above the button. */
  get cost(): Locator {
    return this.page.locator('.run-box .cost');
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async clip(title: string): Promise<void> {
    await this.page.getByRole('button', { name: title }).click();
  }

  async mode(mode: Mode): Promise<void> {
    await this.page.getByRole('radio', { name: mode, exact: true }).check();
  }

  /** A number beside its slider, typed. */
  async amount(name: 'Lag' | 'Steps' | 'History noise' | 'Eta' | 'Frames to predict', value: string) {
    const field = this.page.getByRole('textbox', { name });
    await field.fill(value);
    await field.press('Enter');
    await field.blur();
  }

  async seed(value: number): Promise<void> {
    const field = this.page.getByRole('textbox', { name: 'Seed' });
    await field.fill(String(value));
    await field.blur();
  }

  /** Starts a run, with the button unless told otherwise, and waits for its result. */
  async run(start: () => Promise<void> = () => this.runButton.click()): Promise<RunSummary> {
    const before = (await this.runs()).length;
    await start();
    const count = async () => {
      if ((await this.state()).live.status === 'failed') throw new Error(await this.alerts());
      return (await this.runs()).length;
    };
    await expect.poll(count, { timeout: PATIENCE }).toBe(before + 1);
    return this.shown();
  }

  /** What the page says to everybody, above all panels. */
  get notices(): Locator {
    return this.page.locator('.notices p');
  }

  get model(): Locator {
    return this.page.getByRole('region', { name: 'Model' });
  }

  /** Everything that the page reports as failed. */
  async alerts(): Promise<string> {
    return (await this.page.getByRole('alert').allInnerTexts()).join('\n');
  }
}

interface Fixtures {
  readonly studio: Studio;
}

export const test = base.extend<Fixtures>({
  studio: async ({ page, context, baseURL }, use) => {
    const watched = await watch(context, new URL(baseURL!).origin);
    await use(new Studio(page, watched));
    expect(watched.problems()).toEqual([]);
  },
});

export { expect };
