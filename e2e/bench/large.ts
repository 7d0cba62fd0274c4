/**
 * A checkpoint of a published size with random weights, from the file to one forward pass: time, MB/s, memory.
 * `npx tsx e2e/bench/large.ts [--size S|B|L] [--dtype fp16|q8|q4|fp32] [--forward] [--page]`; L/2 needs 6 GB of disk.
 * --page converts it in a real browser's page instead of on the command line.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseManifest } from '../../models/bundle/manifest.ts';
import { forwardInput } from '../../models/comparison.ts';
import { table } from '../../src/cli/output.ts';
import { windowDenoiser } from '../../workers/graphs.ts';
import { openGraphFile } from '../../workers/node/open.ts';
import { publishedConfig, writeRandomCheckpoint } from '../../workers/testing/random-checkpoint.ts';
import type { Conversion } from './convert-child.ts';
import { convertedInPage } from './large-page.ts';
import type { Row } from './measure.ts';

export type Size = 'S' | 'B' | 'L';

const MB = 2 ** 20;
/** What the issue asks for. */
const SPEEDS: Readonly<Record<string, string>> = { fp16: '150 MB/s', q4: '60 MB/s' };

/** @param forward also opens the bundle and computes once, on the fastest runtime that is there */
export async function large(size: Size, dtype: string, forward: boolean): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nanowm-large-'));
  try {
    const weights = join(folder, 'weights');
    mkdirSync(weights);
    const bytes = writeRandomCheckpoint(join(weights, 'model.safetensors'), publishedConfig(size));
    const out = join(folder, 'bundle');
    const { seconds, busy, baseline, peak } = converted(weights, out, dtype);
    const name = `${size}/2 to ${dtype}`;
    const rows: Row[] = [
      { what: `${name}: read`, value: `${(bytes / MB).toFixed(0)} MB`, wanted: '' },
      { what: `${name}: time`, value: `${seconds.toFixed(1)} s`, wanted: '' },
      {
        what: `${name}: speed`,
        value: `${(bytes / MB / seconds).toFixed(0)} MB/s`,
        wanted: SPEEDS[dtype] ?? '',
      },
      {
        what: `${name}: speed a second of processor`,
        value: `${(bytes / MB / busy).toFixed(0)} MB/s`,
        wanted: SPEEDS[dtype] ?? '',
      },
      {
        what: `${name}: memory above the process's own ${(baseline / MB).toFixed(0)} MB`,
        value: `${((peak - baseline) / MB).toFixed(0)} MB`,
        wanted: '600 MB',
      },
    ];
    return forward ? [...rows, ...(await computed(name, out))] : rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function largeInPage(size: Size, dtype: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nanowm-large-'));
  try {
    const weights = join(folder, 'model.safetensors');
    const bytes = writeRandomCheckpoint(weights, publishedConfig(size));
    const { seconds, longest, before, peak } = await convertedInPage(weights, dtype, join(folder, 'dist'));
    const name = `${size}/2 to ${dtype} in the page`;
    return [
      { what: `${name}: time`, value: `${seconds.toFixed(1)} s`, wanted: '' },
      { what: `${name}: speed`, value: `${(bytes / MB / seconds).toFixed(0)} MB/s`, wanted: '' },
      {
        what: `${name}: memory of the renderer above the ${(before / MB).toFixed(0)} MB before`,
        value: `${((peak - before) / MB).toFixed(0)} MB`,
        wanted: '600 MB',
      },
      {
        what: `${name}: longest main-thread task`,
        value: longest === 0 ? 'none over 50 ms' : `${longest.toFixed(0)} ms`,
        wanted: 'none over 50 ms',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function converted(weights: string, out: string, dtype: string): Conversion {
  const child = fileURLToPath(new URL('./convert-child.ts', import.meta.url));
  const argv = ['nanowm', '--weights', weights, '--out', out, '--dtype', dtype];
  const text = execFileSync(process.execPath, ['--import', 'tsx', child, ...argv], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(text) as Conversion;
}

async function computed(name: string, out: string): Promise<Row[]> {
  const began = performance.now();
  const graph = join(out, 'window.onnx');
  const session = await openGraphFile(graph, new Uint8Array(readFileSync(graph)), { runtime: 'auto' });
  const opened = performance.now();
  const manifest = parseManifest(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')));
  const { architecture } = manifest.denoiser!;
  const { x, timesteps, actions } = forwardInput(architecture);
  const output = await windowDenoiser(session, architecture)(x, timesteps, actions);
  const ended = performance.now();
  await session.release();
  const finite = output.every(Number.isFinite) ? 'all finite' : 'NOT finite';
  return [
    { what: `${name}: opened`, value: `${((opened - began) / 1000).toFixed(1)} s`, wanted: '' },
    {
      what: `${name}: one forward pass, ${session.runtime}`,
      value: `${((ended - opened) / 1000).toFixed(1)} s, ${finite}`,
      wanted: '',
    },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: 'L' },
      dtype: { type: 'string', default: 'fp16' },
      forward: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
    },
  });
  const size = values.size as Size;
  const rows = values.page
    ? await largeInPage(size, values.dtype)
    : await large(size, values.dtype, values.forward);
  console.log(
    table(
      ['measured', 'value', 'wanted'],
      rows.map(({ what, value, wanted }) => [what, value, wanted]),
    ),
  );
  process.exit();
}
