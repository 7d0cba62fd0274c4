/** Journey: somebody opens the page. */
import { expect, test } from './studio.ts';

test('the recorded result is there before any weights, and says that it is recorded', async ({
  page,
  studio,
}) => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/bundles/**', async (route) => {
    await held;
    await route.continue();
  });
  await studio.open();

  await expect(page.getByText(/^Recorded on .+\. Run computes it here\.$/)).toBeVisible();
  const run = await studio.shown();
  expect(run.recordedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(studio.watched.weights()).toEqual([]);

  expect((await studio.state()).frame).toBe(1);
  await studio.paintsItsFrame();
  await expect(page.getByRole('row', { name: /recorded/i })).toBeVisible();

  release();
  await studio.modelReady();
  await expect(studio.cost).toContainText(/about [\d.]+ s on this device/);
});

test('the page loads its model by itself, tells its cost, and asks nobody else for anything', async ({
  page,
  studio,
}) => {
  await studio.open();
  await studio.modelReady();
  await expect(studio.cost).toContainText('24 network calls, 27 frame evaluations');
  await expect(studio.cost).toContainText(/about [\d.]+ s on this device/);
  await expect(studio.model).toContainText(/WASM, \d+ threads?, [\d.]+ MB/);
  expect(studio.watched.weights()).toHaveLength(4);
  // That every request stayed on the origin, and that the console is clean, is looked at after each journey.
  expect(studio.watched.requests.length).toBeGreaterThan(10);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await expect(page.locator('meta[http-equiv="Content-Security-Policy"]')).toHaveAttribute(
    'content',
    /default-src 'none'/,
  );
});

test('every clip of the list has its picture', async ({ page, studio }) => {
  await studio.open();
  const clips = page.getByRole('region', { name: 'Clips' }).getByRole('listitem');
  await expect(clips).toHaveCount(12);
  await expect
    .poll(() =>
      page
        .locator('.clip-picture canvas')
        .evaluateAll(
          (canvases) => canvases.filter((canvas) => (canvas as HTMLCanvasElement).width === 64).length,
        ),
    )
    .toBe(12);
});
