/** Journey: somebody presses Run. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readClip } from '../models/clip.ts';
import { readNpz } from '../models/files/npz.ts';
import { measureFrames } from '../models/metrics/measure.ts';
import type { RunSummary } from '../src/page/testing.ts';
import { expect, test } from './studio.ts';
import type { Studio } from './studio.ts';

const SIZE = 64;
const FRAME = SIZE * SIZE * 3;

/** Few steps, so that a run is short; everything else is as a visitor finds it. */
const SHORT = 'backend=wasm&steps=3';

test('a run tells its progress in words and gives three frames with their measures', async ({
  page,
  studio,
}) => {
  // The weights wait until somebody listens.
  let send: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => (send = resolve));
  await page.route('**/denoiser.0.bin', async (route) => {
    await heard;
    await route.continue();
  });
  await studio.open(SHORT);
  const told = await listen(studio, '.cost-progress, .model-box .note');
  send();
  const run = await studio.run();

  expect((await studio.frames()).length).toBe(4 * FRAME);
  expect(run.measures.pixels.psnr).toEqual([null, ...Array(3).fill(expect.any(Number))]);
  expect(run.networkCalls).toBe(9);
  expect(run.frameEvaluations).toBe(12);
  expect(run.device).toMatch(/^WASM/);

  const lines = await told();
  expect(lines).toContainEqual(expect.stringMatching(/^frame 1 of 3, step \d of 3, [\d.]+ s left$/));
  expect(lines).toContainEqual(expect.stringMatching(/^frame 3 of 3, step \d of 3/));
  expect(lines).toContainEqual(expect.stringMatching(/Loading the model, [\d.]+ [kM]B of [\d.]+ MB/));
  await expect(page.getByRole('status').filter({ hasText: /^The run is done: PSNR [\d.]+ dB/ })).toHaveCount(
    1,
  );
});

test('the numbers on the page are those of its frames against the recorded pixels', async ({
  page,
  studio,
}) => {
  await studio.open(`${SHORT}&truth=pixels&table=on`);
  const run = await studio.run();

  const clip = readClip(new Uint8Array(readFileSync('public/clips/maze-01.npz')));
  const expected = measureFrames(await studio.frames(), clip.pixels!.data, SIZE, SIZE).slice(1);
  // The logarithm's last bit differs between versions of the engine.
  expect(run.measures.pixels.psnr.slice(1)).toEqual(expected.map(({ psnr }) => expect.closeTo(psnr, 10)));
  expect(run.measures.pixels.ssim.slice(1)).toEqual(expected.map(({ ssim }) => ssim));

  const row = page
    .getByRole('region', { name: 'Measure' })
    .getByRole('row', { name: /^1 sequential, 3 steps/ });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const shown = (values: readonly number[], decimals: number) =>
    [...values, mean(values)].map((value) => value.toFixed(decimals));
  const psnr = expected.map((measure) => measure.psnr);
  const ssim = expected.map((measure) => measure.ssim);
  await expect(row.getByRole('cell')).toHaveText(shown(psnr, 2));
  await studio.press('m');
  await expect(row.getByRole('cell')).toHaveText(shown(ssim, 4));

  const listed = page.getByRole('region', { name: 'Runs' }).getByRole('row', { name: /^1 sequential/ });
  await expect(listed.getByRole('cell')).toHaveText([
    mean(psnr).toFixed(2),
    mean(ssim).toFixed(4),
    '9',
    /^[\d.]+ s$/,
  ]);

  // The chart says the same mean, and another truth gives other numbers.
  await studio.press('v');
  await studio.press('m');
  await expect(page.getByRole('img', { name: /^PSNR, mean of 3: / })).toHaveAttribute(
    'aria-label',
    new RegExp(`1 sequential, 3 steps: ${mean(psnr).toFixed(2)}`),
  );
  await page.getByRole('combobox', { name: 'against' }).selectOption('reconstruction');
  const { psnr: other } = run.measures.reconstruction;
  await expect(listed.getByRole('cell').first()).toHaveText(mean(other.slice(1) as number[]).toFixed(2));
  expect(other).not.toEqual(run.measures.pixels.psnr);
});

test('the same spec gives the same frames, twice here and once on the command line', async ({ studio }) => {
  test.setTimeout(240_000);
  await studio.open(SHORT);
  const run = await studio.run();
  const first = await studio.framesHash();
  await studio.run();
  expect(await studio.framesHash()).toBe(first);
  await studio.seed(7);
  await studio.run();
  expect(await studio.framesHash()).not.toBe(first);

  // Back to the first of the three.
  await studio.page.getByRole('button', { name: '1 sequential, 3 steps' }).click();
  const { frames, measures } = onCommandLine(run);
  const here = await studio.frames();
  expect(frames.length).toBe(here.length);
  expect(Math.max(...here.map((level, i) => Math.abs(level - frames[i]!)))).toBeLessThanOrEqual(1);
  for (const [i, { psnr, ssim }] of measures.entries()) {
    expect(Math.abs(run.measures.pixels.psnr[i + 1]! - psnr)).toBeLessThan(0.02);
    expect(Math.abs(run.measures.pixels.ssim[i + 1]! - ssim)).toBeLessThan(1e-3);
  }
});

/** The command line's frames and measures for what the page ran. */
function onCommandLine({ settings }: RunSummary) {
  const folder = mkdtempSync(join(tmpdir(), 'journey-'));
  const { horizon, seed, mode, steps, eta, stabilisation } = settings;
  const spec = { horizon, seed, sampler: { mode, steps, eta, stabilisation } };
  writeFileSync(join(folder, 'spec.json'), JSON.stringify(spec));
  execFileSync(
    process.execPath,
    [
      ...['--import', 'tsx', 'src/cli/main.ts', 'rollout', '--backend', 'wasm'],
      ...['--clip', `public/clips/${settings.clip}.npz`],
      ...['--spec', join(folder, 'spec.json'), '--out', folder],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const npz = readNpz(new Uint8Array(readFileSync(join(folder, 'rollout.npz'))), 'rollout.npz');
  const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as {
    metrics: { pixels: { psnr: number; ssim: number }[] };
  };
  return { frames: npz.get('frames').data as Uint8Array, measures: result.metrics.pixels };
}

/** All texts that elements matching the selector have had from now on. */
async function listen({ page }: Studio, selector: string): Promise<() => Promise<string[]>> {
  await page.evaluate((where) => {
    const lines = new Set<string>();
    const read = () => {
      for (const element of document.querySelectorAll<HTMLElement>(where))
        lines.add(element.innerText.trim());
    };
    new MutationObserver(read).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    read();
    Object.assign(window, { heard: lines });
  }, selector);
  return () => page.evaluate(() => [...(window as unknown as { heard: Set<string> }).heard]);
}
