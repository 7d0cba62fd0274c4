/** The command line: `npm run -s nanowm -- <command>`. Finds the command and runs it. */
import { unknown } from '../../models/errors.ts';
import type { Command } from './command.ts';
import { execute, fail } from './manners.ts';

const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  inspect: () => import('./commands/inspect.ts'),
  convert: () => import('./commands/convert.ts'),
  infer: () => import('./commands/infer.ts'),
  schedule: () => import('./commands/schedule.ts'),
  rollout: () => import('./commands/rollout.ts'),
  metrics: () => import('./commands/metrics.ts'),
};

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || ['--help', '-h', 'help'].includes(name)) console.log(await overview());
else if (!Object.hasOwn(commands, name))
  fail(unknown('command', name, `use ${Object.keys(commands).join(', ')}`), false);
else await execute((await commands[name]!()).command, rest, `npm run -s nanowm -- ${name}`);

async function overview(): Promise<string> {
  const lines = ['usage: npm run -s nanowm -- <command> [options]', ''];
  for (const [each, load] of Object.entries(commands))
    lines.push(`  ${each.padEnd(10)} ${(await load()).command.summary}`);
  return [...lines, '', 'Each command explains itself with --help.'].join('\n');
}
