/** What every command of the command line is: a name, its options in words, and one function. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { aborted, invalid, missing, unknown } from '../../models/errors.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  /** Shown by --help, e.g. `DIR` or `full_sequence|pyramid|sequential|lag`. */
  readonly value?: string;
  readonly help: string;
}

export interface Command {
  readonly summary: string;
  /** Positional arguments as --help shows them, e.g. `PATH`; empty for none. */
  readonly usage: string;
  readonly options: Readonly<Record<string, Option>>;
  run(args: Arguments): Promise<void>;
}

/** The parsed command line. Every getter throws one sentence that names the option. */
export class Arguments {
  constructor(
    private readonly values: Readonly<Record<string, string | boolean | undefined>>,
    readonly positionals: readonly string[],
    readonly stopped: { readonly aborted: boolean },
  ) {}

  /** Lets Ctrl-C in: to be awaited before anything is written. @throws aborted */
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.stopped.aborted) throw aborted('the command');
  }

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  /** @throws when it is empty, as `--out $UNSET` makes it */
  text(name: string): string | undefined {
    const value = this.values[name];
    if (value === '') throw invalid(`--${name}`, value, 'give it a value, or leave it out');
    return typeof value === 'string' ? value : undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw missing('option', `--${name}`, 'see --help');
    return value;
  }

  /** A finite number, or undefined when the option was not given. */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value)) throw invalid(`--${name}`, text, 'give a number');
    return value;
  }

  /** A whole number from `least` to `most`, or undefined when the option was not given. */
  whole(name: string, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.number(name);
    if (value === undefined || (Number.isSafeInteger(value) && value >= least && value <= most)) return value;
    const range =
      most === Number.MAX_SAFE_INTEGER
        ? `of at least ${String(least)}`
        : `from ${String(least)} to ${String(most)}`;
    throw invalid(`--${name}`, this.text(name), `give a whole number ${range}`);
  }

  /** `true` or `false`, or undefined when the option was not given. */
  truth(name: string): boolean | undefined {
    const text = this.text(name);
    if (text === undefined || text === 'true' || text === 'false')
      return text === undefined ? undefined : text === 'true';
    throw invalid(`--${name}`, text, 'give true or false');
  }

  /** One of `choices`, or undefined when the option was not given. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw unknown(`--${name}`, text, `use ${choices.join(', ')}`);
    return found;
  }
}

/** More threads than any machine here has; a runtime asked for a million of them never comes back. */
export const MOST_THREADS = 64;

/** Options that every command has. */
export const common: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'machine-readable result on standard output' },
  debug: { type: 'boolean', help: 'show the stack trace of an error' },
  help: { type: 'boolean', help: 'show this help; -h does too' },
};

/** Parses `argv` (without the command's name) by the command's options. */
export function parse(
  command: Command,
  argv: readonly string[],
  stopped: { readonly aborted: boolean },
): Arguments {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, option] of Object.entries({ ...common, ...command.options }))
    options[name] = { type: option.type };
  let parsed: ReturnType<typeof parseArgs>;
  try {
    // Negative numbers look like options to parseArgs (`--steps -3`): join them to their option first.
    parsed = parseArgs({ args: joinNegatives(argv), options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node explains itself in several sentences; the first one names the option.
    const sentence = error instanceof Error ? (error.message.split(/\.(?:\s|$)/)[0] ?? '') : String(error);
    throw invalid('command line', sentence, 'see --help');
  }
  const places = command.usage === '' ? [] : command.usage.split(' ');
  const extra = parsed.positionals[places.length];
  if (extra !== undefined) {
    const takes = places.length === 0 ? 'takes options only' : `takes ${places.join(' ')} once`;
    throw unknown('argument', extra, `this command ${takes}; see --help`);
  }
  return new Arguments(
    parsed.values as Record<string, string | boolean | undefined>,
    parsed.positionals,
    stopped,
  );
}

function joinNegatives(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of argv) {
    const last = joined.at(-1);
    if (/^-(?:[\d.]|Infinity$)/.test(part) && last?.startsWith('--') && !last.includes('='))
      joined[joined.length - 1] = `${last}=${part}`;
    else joined.push(part);
  }
  return joined;
}
