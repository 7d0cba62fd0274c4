/** The ways in which an action reaches the frames (facts/nanowm.md section 1). */
import { unknown } from '../errors.ts';

export const INJECTIONS = ['additive', 'adaln_fuse', 'adaln', 'film', 'cross_attention'] as const;
export type Injection = (typeof INJECTIONS)[number];

/** @throws when `value` is no action injection. */
export function parseInjection(value: string): Injection {
  const known = INJECTIONS.find((injection) => injection === value);
  if (known === undefined) throw unknown('action injection', value, `use ${INJECTIONS.join(', ')}`);
  return known;
}
