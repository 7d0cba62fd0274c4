/** Converts in a process of its own, so that its memory is its own: prints one line of JSON. */
import { command } from '../../src/cli/commands/convert.ts';
import { parse } from '../../src/cli/command.ts';

/** What the parent reads; bytes. */
export interface Conversion {
  readonly seconds: number;
  /** Of a processor: what it takes where nothing else runs. */
  readonly busy: number;
  /** Resident memory before anything is read, and the most of it afterwards. */
  readonly baseline: number;
  readonly peak: number;
}

const args = parse(command, process.argv.slice(2), { aborted: false });
const { log } = console;
console.log = () => undefined;
const baseline = process.memoryUsage().rss;
const before = process.cpuUsage();
const began = performance.now();
await command.run(args);
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(before);
const busy = (user + system) / 1e6;
const conversion: Conversion = { seconds, busy, baseline, peak: process.resourceUsage().maxRSS * 1024 };
log(JSON.stringify(conversion));
