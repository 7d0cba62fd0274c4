/** Journey: somebody opens the page on a phone, or uses it by keyboard, or has motion switched off. */
import type { Page } from '@playwright/test';
import { expect, test } from './studio.ts';

test.describe('at 390 x 844, by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('everything is in reach, fits the width and is large enough for a finger, and a run works', async ({
    page,
    studio,
  }) => {
    await studio.open('backend=wasm&steps=2&mode=pyramid');
    await fits(page);

    await page.getByRole('button', { name: 'Clips', exact: true }).tap();
    const sheet = page.getByRole('dialog');
    await expect(sheet.getByRole('listitem')).toHaveCount(12);
    await fits(page);
    await sheet.getByRole('button', { name: 'Round a corner, to the left' }).tap();
    await expect(sheet).toHaveCount(0);

    await page.getByRole('button', { name: 'Settings', exact: true }).tap();
    await fits(page);
    await studio.mode('Full');
    await studio.amount('Steps', '3');
    await sheet.getByRole('button', { name: 'Close' }).tap();
    await expect(sheet).toHaveCount(0);
    expect((await studio.state()).settings).toMatchObject({
      clip: 'maze-02',
      mode: 'full_sequence',
      steps: 3,
    });
    await expect(page.locator('.bar')).toContainText('3 network calls');

    const run = await studio.run(() => studio.runButton.tap());
    expect(run.networkCalls).toBe(3);
    await fits(page);
    await expect(page.locator('figure[data-kind=prediction]')).toBeInViewport({ ratio: 0.9 });
    // Measures and runs stand further down and come into sight.
    const row = page.getByRole('row', { name: /^1 full, 3 steps/ });
    await row.scrollIntoViewIfNeeded();
    await expect(row).toBeInViewport();
  });

  test('a model that could not be loaded is told where Run is, and can be tried again there', async ({
    page,
    studio,
  }) => {
    studio.watched.allow(/Failed to load resource/);
    await page.route('**/decode.onnx', (route) => route.fulfill({ status: 404, body: '' }));
    await studio.open('backend=wasm&steps=2&mode=full_sequence');
    await studio.runButton.tap();
    const told = page.locator('.bar').getByRole('alert');
    await expect(told).toContainText(/decode\.onnx/, { timeout: 60_000 });
    await fits(page);
    await page.unroute('**/decode.onnx');
    await studio.run(() => told.getByRole('button', { name: 'Try again' }).tap());
    await expect(told).toHaveCount(0);
  });

  test('a bundle without a manifest is told there too', async ({ page, studio }) => {
    studio.watched.allow(/Failed to load resource/);
    await page.route('**/manifest.json', (route) => route.fulfill({ status: 404, body: '' }));
    await studio.open('backend=wasm');
    const told = page.locator('.bar').getByRole('alert');
    await expect(told).toContainText(/manifest\.json/);
    await fits(page);
    await page.unroute('**/manifest.json');
    await told.getByRole('button', { name: 'Try again' }).tap();
    await expect(told).toHaveCount(0);
    await expect(studio.runButton).toBeEnabled();
  });
});

for (const [width, height] of [
  [320, 568],
  [844, 390],
] as const) {
  test.describe(`at ${width} x ${height}, by touch`, () => {
    test.use({ viewport: { width, height }, hasTouch: true, isMobile: true });

    test('nothing scrolls the page sideways, and no heading stands over another', async ({
      page,
      studio,
    }) => {
      await page.route('**/bundles/maze/*.{onnx,bin}', (route) => route.abort());
      studio.watched.allow(/Failed to load resource/);
      await studio.open('table=on');
      await expect(page.getByRole('table').first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      for (const row of ['.header-screen, .header-tools .button', '.picture-head > *'])
        expect(await page.evaluate(overlaps, row)).toEqual([]);
    });
  });
}

test.describe('at 3840 x 2160', () => {
  test.use({ viewport: { width: 3840, height: 2160 } });

  test('the scale of the colours stands right under the matrix', async ({ page, studio }) => {
    await page.route('**/bundles/maze/*.{onnx,bin}', (route) => route.abort());
    studio.watched.allow(/Failed to load resource/);
    await studio.open();
    const [matrix, scale] = await Promise.all(
      ['.matrix-canvas', '.scale'].map((part) => page.locator(part).boundingBox()),
    );
    expect(matrix!.height).toBeGreaterThan(400);
    expect(scale!.y - matrix!.y - matrix!.height).toBeLessThan(16);
  });
});

test.describe('by keyboard alone', () => {
  test('every control has a name and shows when it has the focus', async ({ page, studio }) => {
    await page.route('**/bundles/maze/*.{onnx,bin}', (route) => route.abort());
    studio.watched.allow(/Failed to load resource/);
    await studio.open();
    await expect(page.getByRole('region', { name: 'Clips' }).getByRole('listitem')).toHaveCount(12);
    const seen = new Set<string>();
    const nameless: string[] = [];
    const unseen: string[] = [];
    for (let i = 0; i < 120; i++) {
      await studio.press('Tab');
      const focus = await focused(page);
      if (focus === null || seen.has(focus.key)) break;
      seen.add(focus.key);
      if (focus.name === '') nameless.push(focus.html);
      if (!focus.visible) unseen.push(focus.html);
    }
    expect(nameless).toEqual([]);
    expect(unseen).toEqual([]);
    // Skip link, tools of the header, twelve clips, pictures, transport, frames, matrix, measures, settings, Run.
    expect(seen.size).toBeGreaterThan(50);
  });

  test('the first Tab offers a way past everything to the pictures', async ({ page, studio }) => {
    await page.route('**/bundles/maze/*.{onnx,bin}', (route) => route.abort());
    studio.watched.allow(/Failed to load resource/);
    await studio.open();
    await studio.press('Tab');
    await expect(page.getByRole('link', { name: 'To the pictures' })).toBeFocused();
    await studio.press('Enter');
    await expect(page.locator('#stage')).toBeFocused();
    await studio.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    await studio.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test('nothing on the page moves by itself', async ({ page, studio }) => {
    await page.route('**/bundles/maze/*.{onnx,bin}', (route) => route.abort());
    studio.watched.allow(/Failed to load resource/);
    await studio.open();
    await studio.press('?');
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => {
          const { transitionDuration, animationDuration, animationName } = getComputedStyle(element);
          const lasts = (times: string) => times.split(',').some((time) => parseFloat(time) > 0);
          return lasts(transitionDuration) || (animationName !== 'none' && lasts(animationDuration));
        })
        .map((element) => element.className),
    );
    expect(moving).toEqual([]);
  });
});

/** Nothing is wider than the screen, and what can be pressed has 44 pixels in both directions. */
async function fits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await page.evaluate(tooSmall)).toEqual([]);
}

/** Those that begin before the one on their left has ended. */
function overlaps(row: string): string[] {
  const boxes = [...document.querySelectorAll<HTMLElement>(row)]
    .filter((element) => element.checkVisibility())
    .map((element) => ({ element, box: element.getBoundingClientRect() }));
  return boxes
    .filter(({ box }, i) => i > 0 && box.left < boxes[i - 1]!.box.right - 0.5)
    .map(({ element }) => `${element.className} ${element.textContent}`);
}

function tooSmall(): string[] {
  const open = document.querySelector('dialog[open]') ?? document;
  return [...open.querySelectorAll<HTMLElement>('button, select, input, summary, a[href]')]
    .map((element) => {
      // A radio button is pressed by its label.
      const target = element.matches('[type=radio]') ? element.closest('label')! : element;
      return { target, box: target.getBoundingClientRect() };
    })
    .filter(({ target, box }) => box.width > 0 && !target.matches('.skip') && target.checkVisibility())
    .filter(({ box }) => box.width < 43.5 || box.height < 43.5)
    .map(({ target, box }) => {
      const name = target.getAttribute('aria-label') ?? target.textContent;
      return `${target.className} ${name}: ${String(Math.round(box.width))} x ${String(Math.round(box.height))}`;
    });
}

/** The focused element: where it is, its name, and whether anything around it shows the focus. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    if (!element || element === document.body) return null;
    const labels = (element as HTMLInputElement).labels;
    const name =
      element.getAttribute('aria-label') ??
      ([...(labels ?? [])].map((label) => label.textContent).join(' ') || element.textContent);
    const visible = [element, element.closest('label'), element.parentElement].some((around) => {
      if (!around) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(around);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    });
    const places = [...document.querySelectorAll('*')];
    return {
      key: String(places.indexOf(element)),
      name: name.trim(),
      visible,
      html: element.outerHTML.slice(0, 160),
    };
  });
}
