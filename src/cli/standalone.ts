/** Runs one command that has an npm script of its own, with the manners of the others. */
import { type Command, common, parse } from './command.ts';

/** Parses this process's arguments and runs `command`: one sentence and exit code 1 on bad input, 130 when interrupted. */
export async function runAlone(name: string, command: Command): Promise<void> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help')) return void console.log(help(name, command));
  const stopped = { aborted: false };
  process.on('SIGINT', () => {
    if (stopped.aborted) process.exit(130);
    stopped.aborted = true;
  });
  try {
    await command.run(parse(command, argv, stopped));
  } catch (error) {
    process.exitCode = error instanceof Error && error.name === 'aborted' ? 130 : 1;
    if (argv.includes('--debug')) console.error(error);
    else console.error(error instanceof Error ? error.message : String(error));
  }
}

function help(name: string, command: Command): string {
  const options = Object.entries({ ...command.options, ...common }).map(
    ([option, { value, help: text }]) => `  ${`--${option}${value ? ` ${value}` : ''}`.padEnd(24)} ${text}`,
  );
  return [`usage: npm run ${name} -- [options]`, '', command.summary, '', ...options].join('\n');
}
