/** Journey: somebody loads the page again. */
import { expect, test } from './studio.ts';

test('a reload brings back the whole state, fetches no weights again, and gives the same frames', async ({
  page,
  studio,
}) => {
  await studio.open('backend=wasm');
  await studio.clip('Round a corner, to the left');
  await studio.mode('Lag');
  await studio.amount('Lag', '2');
  await studio.amount('Steps', '3');
  await studio.amount('History noise', '0.05');
  await studio.seed(7);
  await studio.run();
  const frames = await studio.framesHash();
  await studio.press('End');
  await studio.press('m');
  await studio.press('l');
  await page.getByRole('button', { name: /^Theme/ }).click();
  await page.getByLabel(/^Gain/).selectOption('8');
  for (const part of [
    'clip=maze-02',
    'lag=2',
    'steps=3',
    'stabilisation=0.05',
    'seed=7',
    'frame=3',
    'gain=8',
  ])
    await studio.addressSays(part);
  for (const part of ['measure=ssim', 'loop=off', 'theme=light', 'backend=wasm'])
    await studio.addressSays(part);
  const { settings, frame } = await studio.state();
  const address = studio.address();

  studio.watched.forgetRequests();
  await page.reload();
  await studio.alive();
  const again = await studio.state();
  expect(again.settings).toEqual(settings);
  expect(again.frame).toBe(frame);
  expect(studio.address()).toBe(address);
  await expect(page.getByRole('button', { name: 'Theme: light' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Loop' })).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByRole('radio', { name: 'SSIM' })).toBeChecked();
  await expect(page.getByLabel(/^Gain/)).toHaveValue('8');

  await studio.modelReady();
  expect((await studio.state()).stored).toBe(true);
  await studio.run();
  expect(await studio.framesHash()).toBe(frames);
  expect(studio.watched.weights()).toEqual([]);
});

test('stored weights can be removed; the next run fetches them again', async ({ page, studio }) => {
  await studio.open('backend=wasm&steps=2');
  await studio.modelReady();
  await page.getByRole('button', { name: 'About' }).click();
  await page.getByRole('button', { name: 'Remove stored model files' }).click();
  await expect(page.getByText(/^Removed [\d.]+ MB; the next run fetches them again\.$/)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  studio.watched.forgetRequests();
  await studio.run();
  expect(studio.watched.weights()).toHaveLength(4);
});

test('a run that is asked for while stored files are removed in the middle of loading still comes', async ({
  page,
  studio,
}) => {
  studio.watched.allow(/ERR_FAILED|ERR_ABORTED/);
  let hold = true;
  await page.route('**/decode.onnx', async (route) => {
    if (hold) await new Promise((resolve) => setTimeout(resolve, 60_000));
    else await route.continue();
  });
  await studio.open('backend=wasm&steps=2');
  await expect.poll(async () => (await studio.state()).model).toBe('loading');
  hold = false;
  await page.getByRole('button', { name: 'About' }).click();
  await page.getByRole('button', { name: 'Remove stored model files' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  expect((await studio.run()).networkCalls).toBe(6);
});
