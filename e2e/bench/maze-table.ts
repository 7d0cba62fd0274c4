/**
 * `npm run maze:table`: the embedded model on the 64 test episodes, steps by schedule. Prints Markdown;
 * with --write it replaces the part between the markers in models/training/README.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SCHEDULING_MODES } from '../../models/diffusion/scheduling-matrix.ts';
import { openBundleFolder } from '../../workers/node/bundle.ts';
import { beatsCopy, mean, testClips, trial } from './maze-clips.ts';
import type { Trial } from './maze-clips.ts';

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { values } = parseArgs({
  options: {
    bundle: { type: 'string', default: here('public/bundles/maze') },
    clips: { type: 'string', default: '64' },
    steps: { type: 'string', default: '1,2,4,8,20,50' },
    modes: { type: 'string', default: SCHEDULING_MODES.join(',') },
    write: { type: 'boolean', default: false },
  },
});

const bundle = await openBundleFolder(values.bundle, { runtime: 'auto', threads: 1 });
const size = bundle.manifest.codec?.imageSize[0] ?? 0;
const clips = await testClips(Number(values.clips), size);
const lines: string[] = [];
let first: readonly Trial[] = [];

for (const steps of values.steps.split(',').map(Number)) {
  for (const mode of values.modes.split(',')) {
    const trials: Trial[] = [];
    for (const clip of clips) trials.push(await trial(bundle, clip, { mode, steps, stabilisation: 0.02 }));
    first = trials;
    const moving = trials.filter((each) => each.moves);
    const won = `${String(moving.filter(beatsCopy).length)} of ${String(moving.length)}`;
    lines.push(row([String(steps), mode, ...scores(trials, 'model'), String(trials[0]?.networkCalls), won]));
    console.error(lines.at(-1));
  }
}
await bundle.close();

const header = row([
  'steps',
  'schedule',
  'PSNR dB',
  'SSIM',
  'ball, frame 1',
  'frame 2',
  'frame 3',
  'network calls',
  'better than copying',
]);
const text = [
  `${String(clips.length)} test episodes (seed 3), ${String(size)} x ${String(size)}, stabilisation 0.02, eta 0, seed 42, ${bundle.device.runtime}.`,
  `Autoencoder alone against pixels: ${mean(first.flatMap((each) => each.autoencoder)).toFixed(2)} dB. Predictions are measured against the autoencoder's`,
  'reconstruction; ball errors are means in maze units (a cell is 1 wide); the last column counts, among the clips in which',
  'the ball moves, those that beat copying in PSNR, SSIM and mean ball error. "lost in n": no ball was found in n clips.',
  '',
  header,
  row(Array<string>(9).fill('---')),
  ...lines,
  row(['-', 'copy the context frame', ...scores(first, 'copy'), '0', '-']),
].join('\n');
console.log(text);
if (values.write) {
  const path = here('models/training/README.md');
  const readme = readFileSync(path, 'utf8');
  const marked = /(<!-- table:start -->\n)[\s\S]*(\n<!-- table:end -->)/;
  if (!marked.test(readme)) throw new Error(`missing markers: table:start and table:end in ${path}`);
  writeFileSync(
    path,
    readme.replace(marked, (_, start: string, end: string) => `${start}\n${text}\n${end}`),
  );
}

function scores(trials: readonly Trial[], who: 'model' | 'copy'): string[] {
  const all = trials.map((each) => each[who]);
  const balls = [0, 1, 2].map((frame) => {
    const errors = all.map((score) => score.ball[frame] ?? NaN);
    const lost = errors.filter((error) => error === Infinity).length;
    return lost > 0 ? `lost in ${String(lost)}` : mean(errors).toFixed(3);
  });
  return [
    mean(all.map((score) => score.psnr)).toFixed(2),
    mean(all.map((score) => score.ssim)).toFixed(4),
    ...balls,
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
