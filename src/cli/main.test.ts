/** The command line as a process: what a shell sees of it. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

function run(argv: readonly string[], closeAfter = Infinity) {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...argv]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString();
    if (out.length > closeAfter) child.stdout.destroy();
  });
  child.stderr.on('data', (part: Buffer) => (err += part.toString()));
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, out, err })),
  );
}

test('a wrong command is one sentence on standard error and exit code 1', async () => {
  expect(await run(['shedule'])).toEqual({
    code: 1,
    out: '',
    err: 'unknown command: shedule; use inspect, convert, infer, schedule, rollout, metrics\n',
  });
}, 30_000);

test('a reader that has had enough (`| head`) is no error', async () => {
  const argv = ['schedule', '--steps', '1000', '--frames', '16', '--json'];
  const { code, err } = await run(argv, 100);
  expect({ code, err }).toEqual({ code: 0, err: '' });
}, 30_000);
