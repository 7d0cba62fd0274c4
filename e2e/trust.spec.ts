/** Journey: somebody wants to know whether the numbers of this device can be trusted. */
import { createHash } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { Report } from '../src/page/stores/trust-kept.ts';
import { decodeGraph } from '../workers/testing/codec.ts';
import { expect, test } from './studio.ts';

/** The light in the header, whatever it says. */
const light = (page: Page): Locator => page.getByRole('button', { name: /^Self-test: / });
const sheet = (page: Page): Locator => page.getByRole('dialog', { name: 'Self-test' });

const NUMBER = /^[\d.]+$/;
const TIME = /^\d+ ms$/;

/** What the browser keeps of it: another test would have another date. */
const kept = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('nanowm-playground-trust-1'));

/** Puts another graph in the place of decode.onnx, with a manifest that vouches for it. */
async function decodeBy(page: Page, graph: Uint8Array): Promise<void> {
  const body = Buffer.from(graph);
  const sha256 = createHash('sha256').update(body).digest('hex');
  await page.route('**/bundles/maze/manifest.json', async (route) => {
    const response = await route.fetch();
    const manifest = (await response.json()) as { files: Record<string, object> };
    Object.assign(manifest.files['decode.onnx']!, { bytes: body.length, sha256, dtype: 'fp32' });
    await route.fulfill({ response, json: manifest });
  });
  await page.route('**/bundles/maze/decode.onnx', (route) => route.fulfill({ body }));
}

test('the model is tested by itself, the light opens the numbers, and a reload tests nothing again', async ({
  page,
  studio,
}) => {
  await studio.open('backend=wasm&steps=2');
  await expect(light(page)).toHaveAccessibleName('Self-test: same', { timeout: 90_000 });
  await expect(page.locator('.header')).toContainText('self-test: same');

  // By keyboard, there and back.
  await light(page).focus();
  await studio.press('Enter');
  await expect(sheet(page)).toContainText('Same: both ways through the network give the same numbers.');
  const rows = sheet(page).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1).getByRole('rowheader')).toHaveText('cached.onnxagainst window.onnx');
  await expect(rows.nth(1).getByRole('cell')).toHaveText(['same', /^(0|\d\.\de-\d+)$/, NUMBER, TIME]);
  for (const [row, graph] of [
    [2, 'encode.onnx'],
    [3, 'decode.onnx'],
  ] as const) {
    await expect(rows.nth(row).getByRole('rowheader')).toHaveText(`${graph}looked at`);
    await expect(rows.nth(row).getByRole('cell')).toHaveText(['healthy', '\u2013', NUMBER, TIME]);
  }
  await expect(sheet(page)).toContainText('Same: at most 0.0001');
  await expect(sheet(page)).toContainText(/WASM, .+; tested \d+ \w+ \d{4}/);
  await studio.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await expect(light(page)).toBeFocused();

  const before = await kept(page);
  studio.watched.forgetRequests();
  await page.reload();
  await studio.modelReady();
  expect((await studio.state()).trust).toBe('done');
  await expect(light(page)).toHaveAccessibleName('Self-test: same');
  // Longer than a test that came by itself would wait.
  await page.waitForTimeout(4000);
  expect(await kept(page)).toBe(before);
  expect(studio.watched.weights()).toEqual([]);
  expect((await studio.run()).networkCalls).toBe(6);
});

test('it can be tested again, and copied as text', async ({ page, context, studio }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await studio.open('backend=wasm&steps=2');
  await studio.modelReady();
  await light(page).click();
  await expect(sheet(page)).toContainText('Not tested.');
  await sheet(page).getByRole('button', { name: 'Test now' }).click();
  await expect(sheet(page).getByRole('row')).toHaveCount(4);
  const first = await kept(page);
  await sheet(page).getByRole('button', { name: 'Test again' }).click();
  await expect.poll(async () => (await kept(page)) !== first && (await studio.state()).trust).toBe('done');
  await sheet(page).getByRole('button', { name: 'Copy as text' }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text.split('\n')[0]).toBe('Self-test: same');
  expect(text).toMatch(/^cached\.onnx, same, deviation \S+, against window\.onnx, largest [\d.]+, \d+ ms$/m);
  // A run does not wait for a test, and the test comes back after it.
  await sheet(page).getByRole('button', { name: 'Test again' }).click();
  await sheet(page).getByRole('button', { name: 'Close' }).click();
  expect((await studio.run()).networkCalls).toBe(6);
  await expect(light(page)).toHaveAccessibleName('Self-test: same', { timeout: 30_000 });
});

test('a decoder that gives NaN at the levels of a run is off, and the sheet says which and what', async ({
  page,
  studio,
}) => {
  // Its square of latents is 1 in warm-up and 0.18 here: only the one has a root after 0.5 is taken away.
  await decodeBy(page, decodeGraph(0.5, 'least'));
  await studio.open('backend=wasm&steps=2');
  await expect(light(page)).toHaveAccessibleName('Self-test: off', { timeout: 90_000 });
  await expect(studio.notices).toHaveText(
    'The self-test found wrong numbers in decode.onnx; the light at the top shows them.',
  );
  await light(page).click();
  await expect(sheet(page)).toContainText(
    'Off: at least one graph gives wrong numbers, on WASM too, so its file is wrong.',
  );
  const rows = sheet(page).getByRole('row');
  await expect(rows.nth(1)).toContainText(/cached\.onnx.*same/);
  await expect(rows.nth(3)).toContainText(/decode\.onnx.*NaN.*–.*–/);
});

test('a decoder that gives nothing but NaN is not opened, and the light is off and says why', async ({
  page,
  studio,
}) => {
  await decodeBy(page, decodeGraph(0));
  await studio.open('backend=wasm&steps=2');
  await expect(light(page)).toHaveAccessibleName('Self-test: off', { timeout: 90_000 });
  await light(page).click();
  await expect(sheet(page).getByRole('alert')).toContainText(
    /Off: the model was not opened.+gives numbers that are not finite as pixels of decode\.onnx/,
  );
});

/** What a worker does before anything else: its WebGPU counts as real hardware, and reads every picture wrongly. */
const WRONG_KERNEL = `
  Object.defineProperty(GPUAdapterInfo.prototype, 'isFallbackAdapter', { get: () => false });
  const read = GPUBuffer.prototype.getMappedRange;
  GPUBuffer.prototype.getMappedRange = function (...part) {
    const range = read.apply(this, part);
    if (this.usage & GPUBufferUsage.MAP_READ && range.byteLength >= ${String(4 * 3 * 64 * 64)}) {
      new Float32Array(range)[7] += 1;
    }
    return range;
  };
`;

test('WebGPU whose decoder is wrong is left for WASM, with a sentence; after a reload it is not tried again', async ({
  page,
  studio,
}) => {
  // The software adapter takes some twenty seconds for what WASM does in one.
  test.setTimeout(300_000);
  await page.route('**/assets/inference.worker-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${WRONG_KERNEL}${await response.text()}` });
  });
  const sentence =
    /^WebGPU was left, because its numbers were wrong in the self-test: decode\.onnx differs from WASM by \d+ %\.$/;
  await studio.open('backend=webgpu&steps=2');
  await expect(studio.notices).toHaveText(sentence, { timeout: 200_000 });
  await expect(studio.model).toContainText(/WASM, \d+ threads?/);
  await expect(studio.model.getByText(sentence)).toBeVisible();
  const [entry] = JSON.parse((await kept(page))!) as [{ report: Report }];
  expect(entry.report.device.backend).toBe('webgpu');
  expect(entry.report.graphs).toMatchObject([
    { graph: 'cached.onnx', against: 'WASM', health: 'ok', verdict: 'same' },
    { graph: 'encode.onnx', against: 'WASM', health: 'ok', verdict: 'same' },
    { graph: 'decode.onnx', against: 'WASM', health: 'ok', verdict: 'off' },
  ]);
  // Now it is tested where it runs.
  await expect(light(page)).toHaveAccessibleName('Self-test: same', { timeout: 90_000 });
  expect((await studio.run()).device).toMatch(/^WASM/);

  await page.reload();
  await studio.modelReady();
  await expect(light(page)).toHaveAccessibleName('Self-test: same');
  await light(page).click();
  await expect(sheet(page).getByText(sentence)).toBeVisible();
  await expect(studio.notices).toHaveCount(0);
});

test.describe('at 390 x 844, by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the dot alone stands in the header, large enough for a finger, and the numbers fit', async ({
    page,
    studio,
  }) => {
    await studio.open('backend=wasm&steps=2');
    await expect(light(page)).toHaveAccessibleName('Self-test: same', { timeout: 90_000 });
    await expect(page.locator('.trust-word')).toBeHidden();
    const box = (await light(page).boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
    await light(page).tap();
    await expect(sheet(page).getByRole('row')).toHaveCount(4);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    // The table too, without scrolling to its last column.
    const table = sheet(page).locator('.table-box');
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const again = (await sheet(page).getByRole('button', { name: 'Test again' }).boundingBox())!;
    expect(again.height).toBeGreaterThanOrEqual(44);
  });
});
