/** Journey: somebody steps through a result, by buttons and by keys, and reads the schedule. */
import { expect, test } from './studio.ts';

test.beforeEach(async ({ studio }) => {
  await studio.open('backend=wasm&steps=2&speed=16');
  await studio.run();
});

test('buttons and keys move the one cursor, and the pictures go with it', async ({ page, studio }) => {
  const frame = async () => (await studio.state()).frame;
  const button = (name: string) => page.getByRole('button', { name, exact: true }).click();

  await button('First frame');
  expect(await frame()).toBe(0);
  await expect(page.getByText('frame 0 of 3, context', { exact: true })).toBeVisible();
  for (const at of [1, 2, 3]) {
    await button('Frame forward');
    expect(await frame()).toBe(at);
    await studio.paintsItsFrame();
  }
  await button('Frame back');
  expect(await frame()).toBe(2);
  await button('Last frame');
  expect(await frame()).toBe(3);
  await page.getByRole('button', { name: 'frame 1 of 3', exact: true }).click();
  expect(await frame()).toBe(1);

  await studio.press('Home');
  expect(await frame()).toBe(0);
  await studio.press('ArrowRight');
  expect(await frame()).toBe(1);
  await studio.press('End');
  expect(await frame()).toBe(3);
  await studio.press('ArrowLeft');
  expect(await frame()).toBe(2);
});

test('it plays round and round with Loop, and to the end without', async ({ page, studio }) => {
  const cursor = async () => {
    const { frame, playing } = await studio.state();
    return `${String(frame)} ${playing ? 'playing' : 'still'}`;
  };
  await studio.press('Home');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(async () => (await studio.state()).frame, { intervals: [20] }).toBe(3);
  // Round the end, still playing.
  await expect.poll(cursor, { intervals: [20] }).toBe('0 playing');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  expect((await studio.state()).playing).toBe(false);

  await page.locator('body').click({ position: { x: 2, y: 2 } });
  await studio.press('l');
  await expect(page.getByRole('button', { name: 'Loop' })).toHaveAttribute('aria-pressed', 'false');
  await studio.press('Home');
  await studio.press('Space');
  await expect.poll(cursor).toBe('3 still');
});

test('arrow keys read the matrix aloud, cell by cell, and show what was believed there', async ({
  page,
  studio,
}) => {
  const matrix = page.getByRole('application');
  await expect(matrix).toHaveAttribute(
    'aria-label',
    '6 rows. Frame 1 in rows 1 to 2, frame 2 in rows 3 to 4, frame 3 in rows 5 to 6. Arrow keys read the cells.',
  );
  const spoken = page.locator('.scale [aria-live=polite]');
  await expect(spoken).toHaveText('');
  await studio.press('End');
  await studio.paintsItsFrame();
  const finished = (await studio.picture('prediction')).rgb;

  await matrix.focus();
  await matrix.press('ArrowDown');
  await expect(spoken).toHaveText(/^frame 1, row 1: level 1 of 2, timestep \d+, ᾱ [\d.]+$/);
  await matrix.press('End');
  await expect(spoken).toHaveText(/^frame 3, row 1: level 2 of 2, timestep 999, ᾱ 0$/);
  await expect(page.getByRole('figure', { name: 'Prediction after row 1' })).toBeVisible();
  // Frame 3 is still noise there, and what the model believed of it is another picture than the finished one.
  await expect.poll(async () => (await studio.picture('prediction')).rgb).not.toEqual(finished);
  await matrix.press('Home');
  await expect(spoken).toHaveText(/^frame 0: context, held at timestep \d+$/);
  await matrix.press('ArrowRight');
  await matrix.press('ArrowDown');
  await expect(spoken).toHaveText('frame 1, row 2: level 0 of 2, clean');

  // Whoever leaves the matrix hears nothing more and sees the result again.
  await matrix.blur();
  await expect(spoken).toHaveText('');
  await studio.paintsItsFrame();
});

test('sliders and choices keep their own arrow keys', async ({ page, studio }) => {
  const before = (await studio.state()).frame;
  const slider = page.getByRole('slider', { name: 'Steps' });
  await slider.focus();
  await studio.press('ArrowRight');
  await expect.poll(async () => (await studio.state()).settings.steps).toBe(3);
  await page.getByRole('radio', { name: 'Sequential' }).focus();
  await studio.press('ArrowLeft');
  await expect.poll(async () => (await studio.state()).settings.mode).toBe('pyramid');
  expect((await studio.state()).frame).toBe(before);
});
