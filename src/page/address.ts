/**
 * The state of the page in its address, behind the # so that no server sees it: `#clip=maze-03&mode=pyramid&steps=20`.
 * Only what differs from the defaults is written, in words that a person can read and change. What concerns the run
 * has the names of models/run-address.ts; the rest is how it is looked at.
 */
import { readLink } from '../../models/run-address.ts';
import { MODES } from './stores/settings.ts';
import type { Settings } from './stores/settings.ts';
import { BACKENDS, LIMITS } from './stores/limits.ts';
import { DEFAULT_VIEW, FIRST_FRAME, GAINS, SCREENS, SPEEDS } from './stores/view.ts';
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
interface Field {
  /** Empty for what need not be said. */
  readonly write: (state: State) => string;
  /** Puts the value into `into`, or says false. Values of the run come as numbers, all others as text. */
  readonly read: (value: unknown, into: Writable) => boolean;
}

/** Names are part of addresses that the page asks for: nothing in them may lead elsewhere. */
const NAME = /^(?:local:)?[a-z0-9][a-z0-9._-]*$/;
const CLIP = /^[a-z0-9][a-z0-9._:-]*$/;

const oneOf =
  <T extends string | number>(values: readonly T[], put: (into: Writable, value: T) => void): Field['read'] =>
  (value, into) => {
    const known = values.find((candidate) => String(candidate) === String(value));
    if (known !== undefined) put(into, known);
    return known !== undefined;
  };

const named =
  (pattern: RegExp, put: (into: Writable, value: string) => void): Field['read'] =>
  (value, into) => {
    const fits = typeof value === 'string' && pattern.test(value);
    if (fits) put(into, value);
    return fits;
  };

const number =
  (check: (value: number) => boolean, put: (into: Writable, value: number) => void): Field['read'] =>
  (value, into) => {
    const fits = typeof value === 'number' && check(value);
    if (fits) put(into, value);
    return fits;
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

/** The run, under the names of models/run-address.ts; what it has beyond these the page cannot set yet. */
const RUN: Readonly<Record<string, Field>> = {
  bundle: {
    write: ({ settings }) => settings.bundle,
    read: named(NAME, (into, value) => (into.settings.bundle = value)),
  },
  clip: {
    write: ({ settings }) => settings.clip,
    read: named(CLIP, (into, value) => (into.settings.clip = value)),
  },
  horizon: {
    write: ({ settings }) => String(settings.horizon),
    read: number(
      (value) => Number.isInteger(value) && value >= 2 && value <= 10_000,
      (into, value) => (into.settings.horizon = value),
    ),
  },
  mode: {
    // A lag says the mode by itself.
    write: ({ settings }) => (settings.mode === 'lag' ? '' : settings.mode),
    read: oneOf(MODES, (into, value) => (into.settings.mode = value)),
  },
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
};

/** How it is looked at. */
const LOOK: Readonly<Record<string, Field>> = {
  screen: {
    write: ({ view }) => view.screen,
    read: oneOf(SCREENS, (into, value) => (into.view.screen = value)),
  },
  frame: {
    write: ({ frame }) => String(frame),
    read: (value, into) => {
      const fits = /^[0-9]{1,5}$/.test(String(value));
      if (fits) into.frame = Number(value);
      return fits;
    },
  },
  truth: {
    write: ({ view }) => view.truth,
    read: oneOf(['pixels', 'reconstruction'], (into, value) => (into.view.truth = value)),
  },
  gain: {
    write: ({ view }) => String(view.gain),
    read: oneOf(GAINS, (into, value) => (into.view.gain = value)),
  },
  speed: {
    write: ({ view }) => String(view.speed),
    read: oneOf(SPEEDS, (into, value) => (into.view.speed = value)),
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
  /** The test handle's own: nothing of the page's state. */
  testing: { write: () => '', read: () => true },
};

/** @param hash as in location.hash, with or without its #. */
export function parseAddress(hash: string): Parsed {
  const into: Writable = { settings: {}, view: {}, frame: null };
  let link: ReturnType<typeof readLink>;
  try {
    link = readLink(hash);
  } catch (error) {
    return { linked: null, failure: error instanceof Error ? error.message : String(error) };
  }
  const { sampler, ...run } = link.run;
  const asked = [
    ...Object.entries({ ...run, ...(sampler as object | undefined) }).map((part) => [RUN, ...part] as const),
    ...[...link.view].map((part) => [LOOK, ...part] as const),
  ];
  for (const [fields, name, value] of asked) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) return { linked: null, failure: `this page cannot set ${name}` };
    if (!field.read(value, into)) return { linked: null, failure: `${name} cannot be ${short(value)}` };
  }
  const { mode, lag } = (sampler ?? {}) as { mode?: string; lag?: number };
  if (lag !== undefined && mode !== undefined && mode !== 'lag')
    return { linked: null, failure: `mode ${mode} takes no lag` };
  return { linked: into, failure: null };
}

/** What stands behind the # for this state, without the #; empty for the defaults. */
export function formatAddress(state: State, defaults: Settings): string {
  const usual: State = { settings: defaults, view: DEFAULT_VIEW, frame: FIRST_FRAME };
  const parts = Object.entries({ ...RUN, ...LOOK }).flatMap(([name, { write }]) => {
    const text = write(state);
    // Colons are allowed behind a # and read better as they are.
    return text === '' || text === write(usual)
      ? []
      : [`${name}=${encodeURIComponent(text).replaceAll('%3A', ':')}`];
  });
  return parts.join('&');
}

function short(value: unknown): string {
  const text = String(value);
  if (text === '') return 'empty';
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
