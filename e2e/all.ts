/**
 * `npm test`: every `test:*` script in turn, all of them even when one fails, and at the end one line
 * `N passed, N failed, N skipped` over all test runners (a failed check of format, types or lint counts as one).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const results = 'test-results';
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const total: Count = { passed: 0, failed: 0, skipped: 0 };

for (const check of ['test:format', 'test:types', 'test:lint']) {
  const ok = run(check, []);
  add({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
}
runner(
  'test:unit',
  ['--reporter=default', '--reporter=json', `--outputFile.json=${results}/unit.json`],
  `${results}/unit.json`,
  countVitest,
);
runner('test:e2e', [], `${results}/e2e.json`, countPlaywright);

console.log(
  `\n${String(total.passed)} passed, ${String(total.failed)} failed, ${String(total.skipped)} skipped`,
);
process.exit(total.failed === 0 ? 0 : 1);

function runner(script: string, extra: string[], report: string, count: (json: never) => Count): void {
  const ok = run(script, extra);
  try {
    const counted = count(JSON.parse(readFileSync(report, 'utf8')) as never);
    // A runner that fails outside its tests (a broken set-up, an unhandled error) is a failure too.
    if (!ok && counted.failed === 0) counted.failed = 1;
    add(counted);
  } catch {
    add({ passed: 0, failed: 1, skipped: 0 });
  }
}

function run(script: string, extra: string[]): boolean {
  console.log(`\n# ${script}`);
  const done = spawnSync('npm', ['run', '-s', script, '--', ...extra], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return done.status === 0;
}

function add(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}

function countVitest(json: {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
}): Count {
  return {
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + json.numTodoTests,
  };
}

function countPlaywright(json: {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}): Count {
  const { expected, unexpected, flaky, skipped } = json.stats;
  return { passed: expected + flaky, failed: unexpected, skipped };
}
