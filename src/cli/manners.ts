/** Manners that all commands share: help, one sentence for an error, exit codes, Ctrl-C. */
import { type Command, common, parse } from './command.ts';

/** Runs `command` on `argv`. `usage` is how it is called, for --help. Never throws: it sets the exit code. */
export async function execute(command: Command, argv: readonly string[], usage: string): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) return void console.log(help(command, usage));
  // `| head` closes the pipe early: whoever reads has had enough, and that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  const stopped = { aborted: false };
  process.on('SIGINT', () => {
    // The second time the user means it: a command that does not look at `stopped` must not hang.
    if (stopped.aborted) process.exit(130);
    stopped.aborted = true;
  });
  try {
    await command.run(parse(command, argv, stopped));
  } catch (error) {
    fail(error, argv.includes('--debug'));
  }
}

/** One sentence on standard error; exit code 1, or 130 when the user interrupted. */
export function fail(error: unknown, debug: boolean): void {
  process.exitCode = error instanceof Error && error.name === 'aborted' ? 130 : 1;
  if (debug) console.error(error);
  else console.error(error instanceof Error ? error.message.split('\n')[0] : String(error));
}

/** Characters before the help of an option. */
const COLUMN = 34;

function help(command: Command, usage: string): string {
  const names = Object.entries({ ...command.options, ...common }).map(
    ([option, { value, help: text }]) => [`  --${option}${value ? ` ${value}` : ''}`, text] as const,
  );
  // A name that is too long for its column has its help on the next line.
  const options = names.map(([name, text]) =>
    name.length < COLUMN ? `${name.padEnd(COLUMN)} ${text}` : `${name}\n${' '.repeat(COLUMN)} ${text}`,
  );
  return [
    `usage: ${usage} ${command.usage} [options]`.replace('  ', ' '),
    '',
    command.summary,
    '',
    ...options,
  ].join('\n');
}
