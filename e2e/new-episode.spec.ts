/** Journey: somebody has MuJoCo make an episode that nobody has seen. */
import { expect, test } from './studio.ts';

test('a new episode is simulated, named in the address, predicted over several windows, and there again after a reload', async ({
  page,
  studio,
}) => {
  await studio.open('backend=wasm&steps=2&mode=pyramid');
  const clips = page.getByRole('region', { name: 'Clips' });
  await clips.getByRole('button', { name: 'New episode' }).click();
  await expect.poll(async () => (await studio.state()).settings.clip).toMatch(/^maze:umaze:\d+$/);
  const { clip } = (await studio.state()).settings;
  await studio.addressSays(`clip=${clip}`);
  const title = `Episode ${clip.split(':')[2]!}, umaze`;
  await expect(clips.getByRole('button', { name: title })).toHaveAttribute('aria-pressed', 'true');
  await studio.alive();

  // Twelve frames: more than the model sees at once, so a run may go on window by window.
  await studio.amount('Frames to predict', '5');
  await expect(studio.cost).toContainText('10 network calls, 15 frame evaluations');
  const run = await studio.run();
  expect(run.networkCalls).toBe(10);
  expect(run.measures.pixels.psnr.filter((value) => value !== null)).toHaveLength(5);
  const frames = await studio.framesHash();
  const truth = (await studio.picture('truth')).rgb;

  await page.reload();
  await studio.alive();
  await expect(clips.getByRole('button', { name: title })).toHaveAttribute('aria-pressed', 'true');
  expect((await studio.state()).settings).toMatchObject({ clip, horizon: 6 });
  await studio.run();
  expect(await studio.framesHash()).toBe(frames);
  expect((await studio.picture('truth')).rgb).toEqual(truth);
});

test('a MuJoCo worker whose file does not come is told once, in the panel, until it comes', async ({
  page,
  studio,
}) => {
  studio.watched.allow(/Failed to load resource/);
  let there = false;
  await page.route('**/mujoco.worker*', (route) =>
    there ? route.continue() : route.fulfill({ status: 404, body: '' }),
  );
  await studio.open('backend=wasm&steps=2');
  const clips = page.getByRole('region', { name: 'Clips' });
  await clips.getByRole('button', { name: 'New episode' }).click();
  await expect(clips.getByRole('alert').locator('p')).toHaveText(
    'The episode could not be simulated. Missing MuJoCo worker: its file did not arrive; check the connection, or that the folder at the host is complete, and try again.',
  );
  await expect(studio.notices).toHaveCount(0);
  there = true;
  await clips.getByRole('button', { name: 'New episode' }).click();
  await expect.poll(async () => (await studio.state()).settings.clip).toMatch(/^maze:umaze:\d+$/);
  await expect(page.getByRole('alert')).toHaveCount(0);
});
