/** Journey: a link that was cut, mistyped or made for something else. */
import { expect, test } from './studio.ts';

test.beforeEach(async ({ page, studio }) => {
  // These are about the address; nothing here needs the weights.
  await page.route('**/bundles/maze/*.{onnx,bin}', (route) => route.abort());
  studio.watched.allow(/Failed to load resource/);
});

/** Addresses, and what the sentence must name. */
const UNREADABLE: readonly (readonly [address: string, named: RegExp])[] = [
  ['steps=-3', /steps.*-3/],
  ['steps=abc', /steps.*abc/],
  ['steps=', /steps/],
  ['steps=1e9', /steps.*(1e9|1000000000)/],
  ['mode=zigzag', /mode.*zigzag/],
  ['mode=pyramid&lag=2', /lag/],
  ['seed=1.5', /seed.*1\.5/],
  ['eta=2', /eta.*2/],
  ['gain=3', /gain.*3/],
  ['colour=red', /colour/],
  ['__proto__=1', /__proto__/],
  ['steps=4&steps=5', /steps/],
  ['steps=4&clip=../../etc', /clip.*etc/],
  ['%E0%A4%A', /./],
  [`${'y'.repeat(3000)}=1`, /^.{1,300}$/],
];

test('a link that does not parse is told in one sentence, and the defaults are shown', async ({
  page,
  studio,
}) => {
  await studio.open();
  const defaults = (await studio.state()).settings;
  for (const [address, named] of UNREADABLE) {
    await studio.open(address);
    await expect(studio.notices, address).toHaveText([
      /^This link could not be read \(.+\), so the defaults are shown\.$/,
    ]);
    await expect(studio.notices, address).toHaveText([named]);
    expect((await studio.state()).settings, address).toEqual(defaults);
  }
  // The page goes on: the sentence goes away when told to, and settings change as ever.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(studio.notices).toHaveCount(0);
  await studio.press('2');
  await studio.addressSays('mode=pyramid');
});

test('an address changed by hand that does not parse changes nothing; one that does is followed', async ({
  page,
  studio,
}) => {
  await studio.open('steps=4');
  const before = (await studio.state()).settings;
  const go = (hash: string) => page.evaluate((text) => (location.hash = text), hash);
  await go('steps=none');
  await expect(studio.notices).toHaveText([/steps.*none/]);
  expect((await studio.state()).settings).toEqual(before);
  await go('steps=5&frame=2');
  await expect.poll(async () => (await studio.state()).settings.steps).toBe(5);
  expect((await studio.state()).frame).toBe(2);
});

test('more frames than the clip has are cut to what can be measured, and told', async ({ studio }) => {
  await studio.open('horizon=9');
  await expect(studio.notices).toHaveText([/4 frames/]);
  expect((await studio.state()).settings.horizon).toBe(4);
  await expect(studio.cost).toContainText('24 network calls');
});

for (const [what, clip, named] of [
  ['a clip that is not there', 'maze-99', /Unknown clip: maze-99; choose one from the list\./],
  ['a clip of another kind of name', 'my-own-clip', /Unknown clip: my-own-clip; choose one from the list\./],
  ['an episode on a map that nobody has', 'maze:nowhere:3', /nowhere/],
  ['an episode that cannot be', 'maze:umaze:-1', /an episode is maze:MAP:NUMBER/],
] as const) {
  test(`${what} is told, and another can be chosen`, async ({ page, studio }) => {
    await page.goto(`./?testing#clip=${clip}&steps=4`);
    const clips = page.getByRole('region', { name: 'Clips' });
    await expect(clips.getByRole('alert')).toHaveText(named);
    await expect(clips.getByRole('listitem')).toHaveCount(12);
    await expect(studio.runButton).toBeDisabled();
    await expect(page.getByText('This clip is not there; choose another to run.')).toBeVisible();
    await studio.clip('Round a corner, to the left');
    await studio.alive();
    await expect(clips.getByRole('alert')).toHaveCount(0);
    await expect(studio.runButton).toBeEnabled();
    expect((await studio.state()).settings).toMatchObject({ clip: 'maze-02', steps: 4 });
  });
}

test('a maze that the model was not trained on is told while it is chosen', async ({ studio }) => {
  await studio.open('clip=maze:medium:3');
  await expect(studio.notices).toHaveText([
    'This model was trained on umaze only; what it predicts on medium means nothing.',
  ]);
  await studio.clip('Round a corner, to the left');
  await expect(studio.notices).toHaveCount(0);
});

test('a bundle that is not there is told, and the page stands', async ({ page, studio }) => {
  await studio.open('bundle=nowhere');
  await expect(studio.model.getByRole('alert')).toContainText(/bundles\/nowhere\/manifest\.json/);
  await expect(page.getByRole('alert')).toHaveCount(1);
});
