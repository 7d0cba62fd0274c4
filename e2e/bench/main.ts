/** `npm run bench`: builds the page, measures, prints a table. Asserts nothing. Close other programs first. */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { Command } from '../../src/cli/command.ts';
import { table } from '../../src/cli/output.ts';
import { runAlone } from '../../src/cli/standalone.ts';
import { browser } from './browser.ts';
import { cachedRollouts } from './cached.ts';
import { mazeWorld } from './maze-world.ts';
import type { Row } from './measure.ts';
import { pageSize } from './page-size.ts';
import { rollouts } from './rollouts.ts';

const cases = {
  size: () => pageSize('dist'),
  world: mazeWorld,
  rollouts,
  cached: cachedRollouts,
  browser,
} satisfies Record<string, () => Row[] | Promise<Row[]>>;
const NAMES = Object.keys(cases) as (keyof typeof cases)[];

const command: Command = {
  summary: 'Builds the page and measures speed and size.',
  usage: '',
  options: { case: { type: 'string', value: NAMES.join('|'), help: 'one of the cases (default: all)' } },
  async run(args) {
    const only = args.choice('case', NAMES);
    spawnSync('npx', ['vite', 'build', '--logLevel', 'warn'], { stdio: ['ignore', 'ignore', 'inherit'] });
    const rows: Row[] = [];
    for (const name of NAMES) {
      await args.pause();
      if (only === undefined || only === name) rows.push(...(await cases[name]()));
    }
    const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${String(cpus().length)} cores, Node ${process.version}`;
    if (args.flag('json')) console.log(JSON.stringify({ machine, rows }, null, 1));
    else
      console.log(
        `${machine}\n\n${table(
          ['measured', 'value', 'wanted'],
          rows.map((row) => [row.what, row.value, row.wanted]),
        )}`,
      );
  },
};

await runAlone('bench', command);
process.exit();
