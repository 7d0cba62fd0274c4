/**
 * `npm run maze:table`: the embedded model on the 64 test episodes, steps by schedule. Prints Markdown;
 * with --write it replaces the part between the markers in models/training/README.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SCHEDULING_MODES } from '../../models/diffusion/scheduling-matrix.ts';
import { missing } from '../../models/errors.ts';
import { parseSpec } from '../../models/run.ts';
import type { Arguments, Command } from '../../src/cli/command.ts';
import { runAlone } from '../../src/cli/standalone.ts';
import { openBundleFolder } from '../../workers/node/bundle.ts';
import type { NodeBundle } from '../../workers/node/bundle.ts';
import { beatsCopy, mean, testClips, trial } from './maze-clips.ts';
import type { Trial } from './maze-clips.ts';

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const command: Command = {
  summary: 'The embedded model on the test episodes, steps by schedule, as Markdown.',
  usage: '',
  options: {
    bundle: { type: 'string', value: 'DIR', help: 'model bundle (default: the embedded maze)' },
    clips: { type: 'string', value: 'N', help: 'test episodes (default 64)' },
    steps: { type: 'string', value: 'S,S,...', help: 'denoising steps of a frame (default 1,2,4,8,20,50)' },
    modes: { type: 'string', value: 'M,M,...', help: `schedules (default ${SCHEDULING_MODES.join(',')})` },
    write: { type: 'boolean', help: 'replace the table in models/training/README.md' },
  },
  async run(args) {
    const steps = listOf(args.text('steps') ?? '1,2,4,8,20,50').map(Number);
    const modes = listOf(args.text('modes') ?? SCHEDULING_MODES.join(','));
    const count = args.whole('clips', 1) ?? 64;
    const folder = args.text('bundle') ?? here('public/bundles/maze');
    const bundle = await openBundleFolder(folder, { runtime: 'auto', threads: 1 });
    const asked = steps.flatMap((each) => modes.map((mode) => ({ mode, steps: each, stabilisation: 0.02 })));
    // What is wrong with any of them is said before hours have been spent on the others.
    for (const sampler of asked) parseSpec({ sampler }, bundle.manifest);
    const text = await tableOf(bundle, count, asked, args);
    await bundle.close();
    if (args.flag('json')) console.log(JSON.stringify({ markdown: text }));
    else console.log(text);
    if (args.flag('write')) writeTable(text);
  },
};

interface Asked {
  readonly mode: string;
  readonly steps: number;
  readonly stabilisation: number;
}

/** @param count of test episodes */
async function tableOf(
  bundle: NodeBundle,
  count: number,
  asked: readonly Asked[],
  args: Arguments,
): Promise<string> {
  const size = bundle.manifest.codec?.imageSize[0] ?? 0;
  const clips = await testClips(count, size);
  const lines: string[] = [];
  let first: readonly Trial[] = [];
  for (const { mode, steps, stabilisation } of asked) {
    const trials: Trial[] = [];
    for (const clip of clips) {
      await args.pause();
      trials.push(await trial(bundle, clip, { mode, steps, stabilisation }));
    }
    first = trials;
    const moving = trials.filter((each) => each.moves);
    const won = `${String(moving.filter(beatsCopy).length)} of ${String(moving.length)}`;
    lines.push(row([String(steps), mode, ...scores(trials, 'model'), String(trials[0]?.networkCalls), won]));
    console.error(lines.at(-1));
  }
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
  return [
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
}

/** @throws when the markers are not there */
function writeTable(text: string): void {
  const path = here('models/training/README.md');
  const readme = readFileSync(path, 'utf8');
  const marked = /(<!-- table:start -->\n)[\s\S]*(\n<!-- table:end -->)/;
  if (!marked.test(readme)) throw missing('markers', `table:start and table:end in ${path}`, 'put them back');
  writeFileSync(
    path,
    readme.replace(marked, (_, start: string, end: string) => `${start}\n${text}\n${end}`),
  );
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
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

await runAlone('maze:table', command);
