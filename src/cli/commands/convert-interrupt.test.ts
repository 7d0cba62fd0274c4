/** Ctrl-C in the middle of a conversion, as a shell sees it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { publishedConfig, writeRandomCheckpoint } from '../../../workers/testing/random-checkpoint.ts';
import { workspace } from '../testing/run.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

test('an interrupted conversion exits with 130 and leaves no half bundle', async () => {
  const folder = workspace();
  const weights = join(folder, 'weights');
  const out = join(folder, 'out');
  mkdirSync(weights);
  writeRandomCheckpoint(join(weights, 'model.safetensors'), publishedConfig('S'));
  const argv = ['convert', 'nanowm', '--weights', weights, '--out', out];
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...argv]);
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  // The work has begun when there is a place for its files.
  while (!existsSync(out) || readdirSync(out).length === 0) {
    expect(child.exitCode).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(said).toBe('the command was cancelled\n');
  expect(readdirSync(out)).toEqual([]);
}, 60_000);
