/** Journey: the built page lies somewhere below a plain host that sends no isolation headers. */
import { expect, test as base } from '@playwright/test';
import { dist } from './built.ts';
import { host } from './static-host.ts';
import { Studio } from './studio.ts';
import { watch } from './watch.ts';

const test = base.extend<{ plain: Awaited<ReturnType<typeof host>> }>({
  plain: async ({}, use) => {
    const plain = await host(dist, '/lab/world-models/');
    await use(plain);
    await plain.close();
  },
});

const WASM = 'backend=wasm&steps=2&mode=full_sequence';

test('the built page works from a sub-path of a plain host, and with all threads', async ({
  page,
  context,
  plain,
}) => {
  const watched = await watch(context, new URL(plain.url).origin);
  const studio = new Studio(page, watched);
  // The first visit brings the service worker, which adds the headers that this host does not send.
  await page.goto(`${plain.url}#${WASM}`);
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false)).toBe(true);
  expect(new URL(page.url()).hash).toContain('steps=2');
  await studio.open(WASM, plain.url);
  await studio.modelReady();
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  await expect(studio.model).toContainText(new RegExp(`WASM, ${String(cores)} threads?`));
  await expect(studio.model).not.toContainText('COOP');
  expect((await studio.run()).networkCalls).toBe(2);

  // MuJoCo comes from below the same path.
  await studio.press('n');
  await expect.poll(async () => (await studio.state()).settings.clip).toMatch(/^maze:umaze:\d+$/);
  await studio.alive();
  const { pathname } = new URL(plain.url);
  expect(
    watched.requests.filter((url) => /^http/.test(url) && !new URL(url).pathname.startsWith(pathname)),
  ).toEqual([]);
  expect(watched.problems()).toEqual([]);
});

test.describe('where service workers are forbidden', () => {
  test.use({ serviceWorkers: 'block' });

  test('a plain host gives one thread, and the page says why', async ({ page, context, plain }) => {
    const watched = await watch(context, new URL(plain.url).origin);
    const studio = new Studio(page, watched);
    await studio.open(WASM, plain.url);
    await studio.modelReady();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await expect(studio.model).toContainText(/WASM, 1 thread, /);
    if ((await page.evaluate(() => navigator.hardwareConcurrency)) > 1)
      await expect(studio.model).toContainText('without the headers COOP and COEP');
    expect((await studio.run()).networkCalls).toBe(2);
    expect(watched.problems()).toEqual([]);
  });
});
