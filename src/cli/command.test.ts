import { describe, expect, test } from 'vitest';
import { parse } from './command.ts';
import type { Command } from './command.ts';

const command: Command = {
  summary: '',
  usage: '',
  options: {
    steps: { type: 'string', help: '' },
    out: { type: 'string', help: '' },
    mode: { type: 'string', help: '' },
  },
  run: () => Promise.resolve(),
};
const args = (...argv: string[]) => parse(command, argv, { aborted: false });

describe('a command line', () => {
  test('refuses an argument that no option takes, instead of ignoring it', () => {
    expect(() => args('8')).toThrow('unknown argument: 8; this command takes options only; see --help');
    const inspect = { ...command, usage: 'PATH' };
    expect(parse(inspect, ['a'], { aborted: false }).positionals).toEqual(['a']);
    expect(() => parse(inspect, ['a', 'b'], { aborted: false })).toThrow(
      'unknown argument: b; this command takes PATH once; see --help',
    );
  });

  test('says in one sentence what an option lacks', () => {
    expect(() => args('--out')).toThrow(
      /^invalid command line: Option '--out <value>' argument missing; see/,
    );
    expect(() => args('--out', '--mode')).toThrow(/^invalid command line: [^.\n]+; see --help$/);
    expect(() => args('--nope')).toThrow("invalid command line: Unknown option '--nope'; see --help");
    expect(() => args('--out', '').required('out')).toThrow("invalid --out: ''; give it a value");
    expect(() => args().required('out')).toThrow('missing option: --out; see --help');
  });

  test('reads negative numbers as values, and refuses what is no number in range', () => {
    expect(args('--steps', '-3').number('steps')).toBe(-3);
    const whole = (text: string) => args('--steps', text).whole('steps', 1, 1000);
    expect(whole('1000')).toBe(1000);
    for (const text of ['-3', '0', '1001', '1.5', '1e300'])
      expect(() => whole(text)).toThrow(`invalid --steps: ${text}; give a whole number from 1 to 1000`);
    for (const text of ['NaN', '-Infinity', 'many', '１２'])
      expect(() => whole(text)).toThrow(`invalid --steps: ${text}; give a number`);
    expect(() => whole('')).toThrow("invalid --steps: ''; give it a value, or leave it out");
  });

  test('lets an interruption in before anything is written', async () => {
    const stopped = { aborted: false };
    const waiting = parse(command, [], stopped);
    await waiting.pause();
    stopped.aborted = true;
    await expect(waiting.pause()).rejects.toMatchObject({ name: 'aborted' });
  });
});
