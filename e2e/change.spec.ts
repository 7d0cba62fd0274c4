/** Journey: somebody changes the schedule, sees what that costs, and runs again. */
import { expect, test } from './studio.ts';

test('the calls told before a run are those it makes, whatever the schedule', async ({ studio }) => {
  await studio.open('backend=wasm&steps=2');
  await studio.modelReady();
  await expect(studio.cost).toContainText('6 network calls, 9 frame evaluations');
  expect((await studio.run()).networkCalls).toBe(6);
  await studio.mode('Pyramid');
  await expect(studio.cost).toContainText('4 network calls, 9 frame evaluations');
  const pyramid = await studio.run();
  expect([pyramid.networkCalls, pyramid.frameEvaluations]).toEqual([4, 9]);
  await studio.mode('Full');
  await studio.amount('Steps', '3');
  await expect(studio.cost).toContainText('3 network calls, 10 frame evaluations');
  expect((await studio.run()).networkCalls).toBe(3);
  await studio.amount('Lag', '2');
  await expect(studio.cost).toContainText('7 network calls, 12 frame evaluations');
  const lag = await studio.run();
  expect(lag.networkCalls).toBe(7);
  expect(lag.settings).toMatchObject({ mode: 'lag', lag: 2 });
});

test('a result that is no longer what is wanted says so, stays, and can give its settings back', async ({
  page,
  studio,
}) => {
  await studio.open('backend=wasm&steps=2');
  const stale = page.getByText('Settings changed since this run.');
  await studio.run();
  const first = await studio.framesHash();
  await expect(stale).toHaveCount(0);

  await studio.press('2');
  await expect(stale).toBeVisible();
  expect(await studio.framesHash()).toBe(first);
  const second = await studio.run(() => studio.press('r'));
  expect(second.settings.mode).toBe('pyramid');
  await expect(stale).toHaveCount(0);
  expect(await studio.framesHash()).not.toBe(first);

  // Both are in the list; the first comes back with its pictures, and its settings when asked for.
  const runs = page.getByRole('region', { name: 'Runs' });
  await expect(runs.getByRole('button', { name: /^2 pyramid, 2 steps/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await runs.getByRole('button', { name: /^1 sequential, 2 steps/ }).click();
  expect(await studio.framesHash()).toBe(first);
  await expect(stale).toBeVisible();
  await page.getByRole('button', { name: 'Use its settings' }).click();
  await expect(stale).toHaveCount(0);
  expect((await studio.state()).settings.mode).toBe('sequential');
});

test('settings are undone and done again, by keys and by buttons', async ({ page, studio }) => {
  await page.route('**/bundles/maze/*.{onnx,bin}', (route) => route.abort());
  studio.watched.allow(/ERR_FAILED/);
  await studio.open('backend=wasm');
  const settings = async () => {
    const { mode, steps, seed } = (await studio.state()).settings;
    return [mode, steps, seed];
  };
  await studio.mode('Full');
  await studio.amount('Steps', '20');
  await studio.seed(7);
  expect(await settings()).toEqual(['full_sequence', 20, 7]);
  await studio.press('Control+z');
  expect(await settings()).toEqual(['full_sequence', 20, 42]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await settings()).toEqual(['sequential', 8, 42]);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
  await studio.press('Control+Shift+z');
  await page.getByRole('button', { name: 'Redo' }).click();
  expect(await settings()).toEqual(['full_sequence', 20, 42]);
});

test('a number that cannot be is told beside its field, and what was set stays', async ({ page, studio }) => {
  await page.route('**/bundles/maze/*.{onnx,bin}', (route) => route.abort());
  studio.watched.allow(/ERR_FAILED/);
  await studio.open('backend=wasm');
  const cases = [
    ['Steps', '-3', 'Give a whole number from 1 to 1000.'],
    ['Steps', 'many', 'Give a whole number from 1 to 1000.'],
    ['Steps', '2.5', 'Give a whole number from 1 to 1000.'],
    ['Lag', '-1', 'Give a whole number from 0 to 1000.'],
    ['History noise', '1', 'Give a number from 0 to 0.999.'],
    ['Eta', 'NaN', 'Give a number from 0 to 1.'],
    ['Eta', '', 'Give a number from 0 to 1.'],
    ['Seed', '', `Give a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`],
    ['Seed', '0x1F', `Give a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`],
  ] as const;
  const before = (await studio.state()).settings;
  for (const [name, value, sentence] of cases) {
    const field = page.getByRole('textbox', { name });
    await field.fill(value);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(page.locator('.settings').getByRole('alert')).toHaveText([sentence]);
    await field.blur();
    await expect(page.locator('.settings').getByRole('alert')).toHaveCount(0);
  }
  expect((await studio.state()).settings).toEqual(before);
});
