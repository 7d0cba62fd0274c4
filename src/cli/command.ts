/** What every command of the command line is: a name, its options in words, and one function. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { invalid, missing, unknown } from '../../models/errors.ts';

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

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
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

  /** A whole number of at least `least`, or undefined when the option was not given. */
  whole(name: string, least: number): number | undefined {
    const value = this.number(name);
    if (value !== undefined && (!Number.isSafeInteger(value) || value < least))
      throw invalid(`--${name}`, this.text(name), `give a whole number of at least ${String(least)}`);
    return value;
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

/** Options that every command has. */
export const common: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'machine-readable result on standard output' },
  debug: { type: 'boolean', help: 'show the stack trace of an error' },
  help: { type: 'boolean', help: 'show this help' },
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
  try {
    // Negative numbers look like options to parseArgs (`--steps -3`): join them to their option first.
    const parsed = parseArgs({ args: joinNegatives(argv), options, allowPositionals: true, strict: true });
    return new Arguments(
      parsed.values as Record<string, string | boolean | undefined>,
      parsed.positionals,
      stopped,
    );
  } catch (error) {
    const sentence = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error);
    throw invalid('command line', sentence, 'see --help');
  }
}

function joinNegatives(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of argv) {
    const last = joined.at(-1);
    if (/^-[\d.]/.test(part) && last?.startsWith('--') && !last.includes('='))
      joined[joined.length - 1] = `${last}=${part}`;
    else joined.push(part);
  }
  return joined;
}
