/** Journey: files are cut short, altered, missing or something else altogether, until somebody mends them. */
import { createHash } from 'node:crypto';
import type { Page, Route } from '@playwright/test';
import { expect, test } from './studio.ts';
import type { Studio } from './studio.ts';

/** Answers a request with something wrong. */
type Damage = (route: Route) => Promise<void>;

const changed =
  (change: (bytes: Buffer) => Buffer): Damage =>
  async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.body()) });
  };
const cutShort = changed((bytes) => bytes.subarray(0, bytes.length / 2));
const longer = changed((bytes) => Buffer.concat([bytes, bytes]));
const altered = changed((bytes) => {
  bytes[bytes.length - 100]! ^= 1;
  return bytes;
});
const gone: Damage = (route) => route.fulfill({ status: 404, body: 'not here' });
const failing: Damage = (route) => route.fulfill({ status: 503, body: 'come back later' });
const unreachable: Damage = (route) => route.abort();
/** What a host sends that answers every address with its front page, or a network that wants a sign-in. */
const aPage: Damage = (route) =>
  route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Sign in</p>' });

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test takes away what the type promises
const edited = (edit: (manifest: any) => void): Damage =>
  changed((bytes) => {
    const json: unknown = JSON.parse(bytes.toString());
    edit(json);
    return Buffer.from(JSON.stringify(json));
  });

/**
 * Opens the page with the first damage to a file, then tries again with one after the other; the sentence of each is
 * the whole first line. The file is whole again at the end, and nobody has tried yet.
 */
async function breakAndMend(
  studio: Studio,
  file: string | RegExp,
  damages: readonly (readonly [damage: Damage, sentence: RegExp])[],
): Promise<void> {
  const { page, model, watched } = studio;
  watched.allow(/Failed to load resource/);
  let now: Damage = damages[0]![0];
  // One handler all the time: between two of them a request could slip through unharmed.
  await page.route(file, (route) => now(route));
  await studio.open('backend=wasm&steps=2');
  for (const [i, [damage, sentence]] of damages.entries()) {
    now = damage;
    if (i > 0) await model.getByRole('button', { name: 'Try again' }).click();
    const told = model.getByRole('alert').locator('p').first();
    await expect(told).toHaveText(sentence, { timeout: 60_000 });
    await expect(page.getByRole('alert')).toHaveCount(1);
  }
  now = (route) => route.continue();
}

async function goesOn({ page }: Studio): Promise<void> {
  await page.getByRole('button', { name: 'Round a corner, to the left' }).click();
  await expect(page.getByText(/^Recorded on .+ Run computes it here\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Frame forward' }).click();
  await expect(page.getByText('frame 2 of 3', { exact: true })).toBeVisible();
}

const COULD_NOT = 'The model could not be loaded\\.';

test('wrong weights are told in one sentence each, the page goes on, and a retry works once they are mended', async ({
  page,
  studio,
}) => {
  const file = '**/bundles/maze/decode.onnx';
  await breakAndMend(studio, file, [
    [
      cutShort,
      new RegExp(
        `^${COULD_NOT} Invalid weights: decode\\.onnx; cut short at \\d+ of \\d+ bytes; open the model again, or publish the file again\\.$`,
      ),
    ],
    [
      altered,
      new RegExp(
        `^${COULD_NOT} Invalid weights: decode\\.onnx; its SHA-256 is [0-9a-f]{12}\\.\\.\\., its manifest says [0-9a-f]{12}\\.\\.\\.; the file was altered or cut short, so publish both together\\.$`,
      ),
    ],
    [
      longer,
      new RegExp(
        `^${COULD_NOT} Invalid weights: decode\\.onnx; more than the \\d+ bytes of its manifest; .+\\.$`,
      ),
    ],
    [gone, new RegExp(`^${COULD_NOT} Missing file: .*decode\\.onnx; check the bundle's address\\.$`)],
    [
      failing,
      new RegExp(
        `^${COULD_NOT} Missing file: .*decode\\.onnx \\(HTTP 503\\); check the connection and .+\\.$`,
      ),
    ],
    [unreachable, new RegExp(`^${COULD_NOT} Missing file: .*decode\\.onnx; check the connection and .+\\.$`)],
    [
      aPage,
      new RegExp(
        `^${COULD_NOT} Invalid model file: .*decode\\.onnx; the server sent a web page in its place; .+\\.$`,
      ),
    ],
  ]);
  await goesOn(studio);

  // Mended: only what was broken is fetched again.
  studio.watched.forgetRequests();
  await studio.model.getByRole('button', { name: 'Try again' }).click();
  await studio.modelReady();
  expect(studio.watched.weights()).toHaveLength(1);
  expect((await studio.run()).networkCalls).toBe(6);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a wrong manifest is told by its field, the page goes on, and a retry works once it is mended', async ({
  page,
  studio,
}) => {
  const file = '**/bundles/maze/manifest.json';
  const remedy = 'correct manifest\\.json or export the bundle again\\.';
  const missing = (field: string) => new RegExp(`^${COULD_NOT} Missing manifest field: ${field}; ${remedy}$`);
  const edits = {
    withoutScale: edited((manifest) => delete manifest.codec.scalingFactor),
    withoutFile: edited((manifest) => delete manifest.files['decode.onnx']),
    tooMuchContext: edited((manifest) => (manifest.denoiser.context = 4)),
    anotherType: edited((manifest) => (manifest.diffusion.steps = 'many')),
    newer: edited((manifest) => (manifest.version = 99)),
    unknownField: edited((manifest) => (manifest.colour = 'red')),
  };
  await breakAndMend(studio, file, [
    [edits.withoutScale, missing('codec\\.scalingFactor')],
    [edits.withoutFile, missing('files\\.decode\\.onnx')],
    [
      edits.tooMuchContext,
      new RegExp(`^${COULD_NOT} Invalid manifest field denoiser\\.context: 4; .+ ${remedy}$`),
    ],
    [
      edits.anotherType,
      new RegExp(`^${COULD_NOT} Invalid manifest field: diffusion\\.steps; .*many.* ${remedy}$`),
    ],
    [edits.newer, new RegExp(`^${COULD_NOT} Invalid manifest field: version; .+\\.$`)],
    [edits.unknownField, new RegExp(`^${COULD_NOT} Unknown manifest field: colour; remove it\\.$`)],
    [gone, new RegExp(`^${COULD_NOT} Missing file: .*manifest\\.json.+\\.$`)],
    [aPage, new RegExp(`^${COULD_NOT} .*manifest\\.json; the host sent .+\\.$`)],
    [
      cutShort,
      new RegExp(`^${COULD_NOT} .*manifest\\.json; the host sent something that is not JSON; .+\\.$`),
    ],
  ]);
  await goesOn(studio);
  await expect(studio.runButton).toBeDisabled();

  await studio.model.getByRole('button', { name: 'Try again' }).click();
  await studio.modelReady();
  expect((await studio.run()).networkCalls).toBe(6);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a file that the runtime cannot read is told by name, though its hash is right', async ({
  page,
  studio,
}) => {
  const nonsense = Buffer.from('this is no graph');
  const sha256 = createHash('sha256').update(nonsense).digest('hex');
  await page.route(
    '**/bundles/maze/manifest.json',
    edited((manifest) => Object.assign(manifest.files['encode.onnx'], { bytes: nonsense.length, sha256 })),
  );
  await page.route('**/bundles/maze/encode.onnx', (route) => route.fulfill({ body: nonsense }));
  await studio.open('backend=wasm');
  studio.watched.allow(/onnxruntime|protobuf/i);
  await expect(studio.model.getByRole('alert').locator('p').first()).toHaveText(
    new RegExp(`^${COULD_NOT} Unsupported graph encode\\.onnx on WASM: .+; .+\\.$`),
    { timeout: 60_000 },
  );
  await goesOn(studio);
});

test('a file of the runtime that is not there, or a page, is named and no graph is blamed; a retry works once it is mended', async ({
  page,
  studio,
}) => {
  const wasm = 'ort-wasm-simd-threaded-[^/]+\\.wasm';
  studio.watched.allow(/wasm|CompileError|WebAssembly/i);
  await breakAndMend(studio, /assets\/ort-wasm-simd-threaded-[^/]+\.wasm$/, [
    [
      gone,
      new RegExp(
        `^${COULD_NOT} Missing runtime file: http.+/assets/${wasm} \\(HTTP 404\\); check the connection, or that the folder at the host is complete, and try again\\.$`,
      ),
    ],
    [
      aPage,
      new RegExp(
        `^${COULD_NOT} Invalid runtime file: http.+/assets/${wasm}; the host sent something else in its place; check that the folder is complete\\.$`,
      ),
    ],
    [
      cutShort,
      new RegExp(`^${COULD_NOT} Invalid runtime file: http.+/assets/${wasm}; it is damaged; .+\\.$`),
    ],
    [unreachable, new RegExp(`^${COULD_NOT} Missing runtime file: http.+/assets/${wasm}; .+\\.$`)],
  ]);
  await studio.model.getByRole('button', { name: 'Try again' }).click();
  await studio.modelReady();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a clip that is cut short or not there is told, and the other clips are as before', async ({
  page,
  studio,
}) => {
  studio.watched.allow(/Failed to load resource/);
  await page.route('**/bundles/maze/*.{onnx,bin}', (route) => route.abort());
  await page.route('**/clips/maze-03.npz', cutShort);
  await page.route('**/clips/maze-04.npz', gone);
  await studio.open();
  const clips = page.getByRole('region', { name: 'Clips' });
  await expect(clips.getByRole('listitem')).toHaveCount(12);
  await chooseClip(page, 2);
  await expect(clips.getByRole('alert')).toContainText(/maze-03\.npz.*\./);
  await chooseClip(page, 3);
  await expect(clips.getByRole('alert')).toContainText(/maze-04\.npz.*\./);
  await chooseClip(page, 1);
  await studio.alive();
  await expect(clips.getByRole('alert')).toHaveCount(0);
});

async function chooseClip(page: Page, place: number): Promise<void> {
  await page
    .getByRole('region', { name: 'Clips' })
    .getByRole('listitem')
    .nth(place)
    .getByRole('button')
    .click();
}
