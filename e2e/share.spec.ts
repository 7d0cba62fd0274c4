/** Journey: somebody sends a link, and somebody else opens it. */
import { expect, Studio, test } from './studio.ts';

test('the copied link shows the same settings in another tab, and both tabs compute the same at once', async ({
  page,
  context,
  studio,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await studio.open('backend=wasm&steps=4');
  await studio.mode('Pyramid');
  await studio.clip('Round a corner, to the left');
  await studio.press('End');
  // At once, before the address has had its moment to be written.
  await studio.press('[');
  await studio.press('s');
  await expect(page.getByText('The link to this state is copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('#');

  const second = new Studio(await context.newPage(), studio.watched);
  await second.page.goto(link);
  await second.alive();
  const [here, there] = [await studio.state(), await second.state()];
  expect(there.settings).toEqual(here.settings);
  expect(there.settings).toMatchObject({ clip: 'maze-02', mode: 'pyramid', steps: 3 });
  expect(there.frame).toBe(here.frame);

  const [first, other] = await Promise.all([studio.run(), second.run()]);
  expect(await second.framesHash()).toBe(await studio.framesHash());
  expect(other.measures).toEqual(first.measures);
  expect((await second.picture('prediction')).rgb).toEqual((await studio.picture('prediction')).rgb);
});
