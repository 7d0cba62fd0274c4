/** Runs one command that has an npm script of its own. */
import type { Command } from './command.ts';
import { execute } from './manners.ts';

/** Runs `command` on this process's arguments; `name` is its npm script. */
export function runAlone(name: string, command: Command): Promise<void> {
  return execute(command, process.argv.slice(2), `npm run ${name} --`);
}
