/**
 * The state of the page in its address, behind the # so that no server sees it: `#clip=maze-03&mode=pyramid&steps=20`.
 * Only what differs from the defaults is written, in words that a person can read and change. What concerns the run
 * has the names of models/run-address.ts; the rest is how it is looked at.
 */
import { MODES } from './stores/settings.ts';
import type { Settings } from './stores/settings.ts';
import { BACKENDS, LIMITS } from './stores/limits.ts';
import { DEFAULT_VIEW, FIRST_FRAME, GAINS, SPEEDS } from './stores/view.ts';
import type { View } from './stores/view.ts';

/** What an address says about the view; open sheets are nobody's to share. */
type SharedView = Omit<View, 'sheet'>;

export interface Linked {
  readonly settings: Partial<Settings>;
  readonly view: Partial<SharedView>;
  readonly frame: number | null;
}

export type Parsed =
  | { readonly linked: Linked; readonly failure: null }
  /** `failure` names the first thing that could not be read. */
  | { readonly linked: null; readonly failure: string };

interface Field {
  readonly write: (state: State) => string;
  /** Puts the value into `into`, or says false. */
  readonly read: (text: string, into: Writable) => boolean;
}
interface State {
  readonly settings: Settings;
  readonly view: SharedView;
  readonly frame: number;
}
interface Writable {
  settings: { -readonly [K in keyof Settings]?: Settings[K] };
  view: { -readonly [K in keyof SharedView]?: SharedView[K] };
  frame: number | null;
}

/** Parameters that belong to others and are left alone: the test handle. */
const FOREIGN = new Set(['testing']);

const NAME = /^[a-z0-9][a-z0-9._-]*$/;
const CLIP = /^[a-z0-9][a-z0-9._:-]*$/;

const oneOf =
  <T extends string>(values: readonly T[], put: (into: Writable, value: T) => void) =>
  (text: string, into: Writable): boolean => {
    const value = values.find((candidate) => candidate === text);
    if (value !== undefined) put(into, value);
    return value !== undefined;
  };

const number =
  (check: (value: number) => boolean, put: (into: Writable, value: number) => void) =>
  (text: string, into: Writable): boolean => {
    // Number('') is 0 and Number(' 1') is 1: neither was written by this page.
    if (!/^-?[0-9.]+(e-?[0-9]+)?$/i.test(text)) return false;
    const value = Number(text);
    if (!check(value)) return false;
    put(into, value);
    return true;
  };

const setting = (key: 'steps' | 'stabilisation' | 'eta' | 'seed'): Field => ({
  write: ({ settings }) => String(settings[key]),
  read: number(
    (value) => LIMITS[key](value) === null,
    (into, value) => (into.settings[key] = value),
  ),
});

const flag = (key: 'loop' | 'asTable'): Field => ({
  write: ({ view }) => (view[key] ? 'on' : 'off'),
  read: oneOf(['on', 'off'], (into, value) => (into.view[key] = value === 'on')),
});

const FIELDS: Readonly<Record<string, Field>> = {
  bundle: {
    write: ({ settings }) => settings.bundle,
    read: (text, into) => NAME.test(text) && ((into.settings.bundle = text), true),
  },
  clip: {
    write: ({ settings }) => settings.clip,
    read: (text, into) => CLIP.test(text) && ((into.settings.clip = text), true),
  },
  horizon: {
    write: ({ settings }) => String(settings.horizon),
    read: number(
      (value) => Number.isInteger(value) && value >= 2 && value <= 10_000,
      (into, value) => (into.settings.horizon = value),
    ),
  },
  mode: {
    write: ({ settings }) => settings.mode,
    read: oneOf(MODES, (into, value) => (into.settings.mode = value)),
  },
  // A lag says the mode by itself, as in models/run-address.ts.
  lag: {
    write: ({ settings }) => (settings.mode === 'lag' ? String(settings.lag) : ''),
    read: number(
      (value) => LIMITS.lag(value) === null,
      (into, value) => Object.assign(into.settings, { mode: 'lag', lag: value }),
    ),
  },
  steps: setting('steps'),
  stabilisation: setting('stabilisation'),
  eta: setting('eta'),
  seed: setting('seed'),
  backend: {
    write: ({ settings }) => settings.backend,
    read: oneOf(BACKENDS, (into, value) => (into.settings.backend = value)),
  },
  frame: {
    write: ({ frame }) => String(frame),
    read: number(
      (value) => Number.isInteger(value) && value >= 0,
      (into, value) => (into.frame = value),
    ),
  },
  truth: {
    write: ({ view }) => view.truth,
    read: oneOf(['pixels', 'reconstruction'], (into, value) => (into.view.truth = value)),
  },
  gain: {
    write: ({ view }) => String(view.gain),
    read: number(
      (value) => (GAINS as readonly number[]).includes(value),
      (into, value) => (into.view.gain = value),
    ),
  },
  speed: {
    write: ({ view }) => String(view.speed),
    read: number(
      (value) => (SPEEDS as readonly number[]).includes(value),
      (into, value) => (into.view.speed = value),
    ),
  },
  loop: flag('loop'),
  table: flag('asTable'),
  measure: {
    write: ({ view }) => view.measure,
    read: oneOf(['psnr', 'ssim'], (into, value) => (into.view.measure = value)),
  },
  theme: {
    write: ({ view }) => view.theme,
    read: oneOf(['auto', 'light', 'dark'], (into, value) => (into.view.theme = value)),
  },
};

/** @param hash as in location.hash, with or without its #. */
export function parseAddress(hash: string): Parsed {
  const into: Writable = { settings: {}, view: {}, frame: null };
  let parameters: URLSearchParams;
  try {
    // URLSearchParams forgives a broken percent sign; a link that was cut is to be told.
    decodeURIComponent(hash);
    parameters = new URLSearchParams(hash.replace(/^#/, ''));
  } catch {
    return { linked: null, failure: 'a percent sign in it is broken' };
  }
  const seen = new Set<string>();
  for (const [name, text] of parameters) {
    if (FOREIGN.has(name)) continue;
    if (seen.has(name)) return { linked: null, failure: `it says ${name} twice` };
    seen.add(name);
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (!field) return { linked: null, failure: `unknown: ${short(name)}` };
    if (!field.read(text, into))
      return { linked: null, failure: `${name} cannot be ${short(text) || 'empty'}` };
  }
  return { linked: into, failure: null };
}

/** What stands behind the # for this state, without the #; empty for the defaults. */
export function formatAddress(state: State, defaults: Settings): string {
  const usual: State = { settings: defaults, view: DEFAULT_VIEW, frame: FIRST_FRAME };
  const parts = Object.entries(FIELDS).flatMap(([name, { write }]) => {
    // With a lag the mode need not be said.
    if (name === 'mode' && state.settings.mode === 'lag') return [];
    const text = write(state);
    // Colons are allowed behind a # and read better as they are.
    return text === write(usual) ? [] : [`${name}=${encodeURIComponent(text).replaceAll('%3A', ':')}`];
  });
  return parts.join('&');
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
