/** `npm run bench`: builds the page, measures, prints a table. Asserts nothing. Close other programs first. */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { table } from '../../src/cli/output.ts';
import { browser } from './browser.ts';
import { cachedRollouts } from './cached.ts';
import { mazeWorld } from './maze-world.ts';
import type { Row } from './measure.ts';
import { pageSize } from './page-size.ts';
import { rollouts } from './rollouts.ts';

const cases: Readonly<Record<string, () => Row[] | Promise<Row[]>>> = {
  size: () => pageSize('dist'),
  world: mazeWorld,
  rollouts,
  cached: cachedRollouts,
  browser,
};
const { values } = parseArgs({ options: { case: { type: 'string' }, json: { type: 'boolean' } } });
if (values.case !== undefined && !(values.case in cases)) {
  console.error(`unknown case: ${values.case}; use ${Object.keys(cases).join(', ')}`);
  process.exit(1);
}
spawnSync('npx', ['vite', 'build', '--logLevel', 'warn'], { stdio: ['ignore', 'ignore', 'inherit'] });
const rows: Row[] = [];
for (const [name, measure] of Object.entries(cases)) {
  if (values.case === undefined || values.case === name) rows.push(...(await measure()));
}
const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${String(cpus().length)} cores, Node ${process.version}`;
if (values.json) console.log(JSON.stringify({ machine, rows }, null, 1));
else
  console.log(
    `${machine}\n\n${table(
      ['measured', 'value', 'wanted'],
      rows.map((row) => [row.what, row.value, row.wanted]),
    )}`,
  );
process.exit(0);
