/** The command line: `npm run -s nanowm -- <command>`. Finds the command, turns errors into one sentence. */
import { unknown } from '../../models/errors.ts';
import { type Command, common, parse } from './command.ts';

const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  inspect: () => import('./commands/inspect.ts'),
  infer: () => import('./commands/infer.ts'),
  schedule: () => import('./commands/schedule.ts'),
  rollout: () => import('./commands/rollout.ts'),
  metrics: () => import('./commands/metrics.ts'),
};

const stopped = { aborted: false };
process.on('SIGINT', () => {
  // The second time the user means it: a command that does not look at `stopped` must not hang.
  if (stopped.aborted) process.exit(130);
  stopped.aborted = true;
});

await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
  try {
    const [name, ...rest] = argv;
    if (name === undefined || name === '--help' || name === 'help') return void console.log(await overview());
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!load) throw unknown('command', name, `use ${Object.keys(commands).join(', ')}`);
    const { command } = await load();
    if (rest.includes('--help')) return void console.log(help(name, command));
    await command.run(parse(command, rest, stopped));
  } catch (error) {
    fail(error, argv.includes('--debug'));
  }
}

function fail(error: unknown, debug: boolean): void {
  process.exitCode = error instanceof Error && error.name === 'aborted' ? 130 : 1;
  if (debug) console.error(error);
  else console.error(error instanceof Error ? error.message.split('\n')[0] : String(error));
}

async function overview(): Promise<string> {
  const lines = ['usage: npm run -s nanowm -- <command> [options]', ''];
  for (const [name, load] of Object.entries(commands))
    lines.push(`  ${name.padEnd(10)} ${(await load()).command.summary}`);
  return [...lines, '', 'Each command explains itself with --help.'].join('\n');
}

function help(name: string, command: Command): string {
  const options = Object.entries({ ...command.options, ...common }).map(([option, { value, help: text }]) => {
    return `  ${`--${option}${value ? ` ${value}` : ''}`.padEnd(34)} ${text}`;
  });
  return [`usage: nanowm ${name} ${command.usage} [options]`, '', command.summary, '', ...options].join('\n');
}
