/** Journey: somebody changes their mind in the middle of a run. */
import { expect, test } from './studio.ts';

test('Esc stops a run between two rows, says so quietly, and the result from before is still there', async ({
  page,
  studio,
}) => {
  await studio.open('backend=wasm&steps=2');
  await studio.run();
  const before = await studio.framesHash();

  await studio.amount('Steps', '200');
  await studio.runButton.click();
  await expect.poll(async () => (await studio.state()).live.row).toBeGreaterThan(2);
  await expect(studio.cancelButton).toBeEnabled();
  await expect(page.getByRole('progressbar', { name: 'Run' })).toBeVisible();
  await studio.press('Escape');
  await expect.poll(async () => (await studio.state()).live.status).toBe('idle');
  await expect(page.getByRole('status').filter({ hasText: 'The run was cancelled.' })).toHaveCount(1);
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await studio.runs()).toHaveLength(1);
  expect(await studio.framesHash()).toBe(before);
  await studio.paintsItsFrame();

  // The worker, with its weights, is the same one: what was wanted before gives what it gave before.
  studio.watched.forgetRequests();
  await studio.amount('Steps', '2');
  await studio.run();
  expect(await studio.framesHash()).toBe(before);
  expect(studio.watched.weights()).toEqual([]);
});

test('loading can be stopped too, and Run begins it again', async ({ page, studio }) => {
  let hold = true;
  await page.route('**/denoiser.0.bin', async (route) => {
    if (hold) await new Promise((resolve) => setTimeout(resolve, 60_000));
    else await route.continue();
  });
  studio.watched.allow(/ERR_FAILED|ERR_ABORTED/);
  await studio.open('backend=wasm&steps=2');
  const model = studio.model;
  await model.getByRole('button', { name: 'Cancel' }).click();
  await expect(model).toContainText('Not loaded; the first run loads it.');
  hold = false;
  await studio.run();
  expect(await studio.runs()).toHaveLength(1);
});
