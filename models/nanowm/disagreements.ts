/** Where a config says another size than the weights have: one sentence each. The weights are used. */
import type { NanowmConfig } from './config.ts';
import type { HydraFacts } from './hydra.ts';

/** Width, blocks and heads of the sizes that `model.arch` names (facts/nanowm.md section 1). */
const SIZES: Readonly<Record<string, readonly [number, number, number]>> = {
  S: [384, 12, 6],
  B: [768, 12, 12],
  L: [1024, 24, 16],
  XL: [1152, 28, 16],
};

export function disagreements(config: NanowmConfig, facts: HydraFacts): string[] {
  const { arch, frames, latentSize, latentChannels, actionDim, frameInterval } = facts;
  const named = /^NanoWM-(S|B|L|XL)\/(\d+)$/.exec(arch ?? '');
  const [width, depth, heads] = (named && SIZES[named[1]!]) ?? [];
  const of = named ? ` (${arch})` : '';
  const action = actionDim !== null && frameInterval !== null ? actionDim * frameInterval : null;
  return [
    scalar('width', width, config.width, of),
    counted('blocks', depth, config.depth, of),
    counted('heads', heads, config.heads, of),
    scalar('patch', named ? Number(named[2]) : null, config.patch, of),
    counted('frames', frames, config.frames),
    scalar('side of the latents', latentSize, config.latentHeight),
    counted('latent channels', latentChannels, config.channels),
    counted('numbers of action a frame', action, config.actionWidth),
    injected(config, facts),
  ].filter((note) => note !== null);
}

const TWINS = new Set<string>(['additive', 'adaln_fuse']);

type Said = number | null | undefined;

function counted(what: string, said: Said, found: number, of = ''): string | null {
  if (said === null || said === undefined || said === found) return null;
  return `The config says ${said} ${what}${of}; the weights hold ${found}, and these are used.`;
}

function scalar(what: string, said: Said, found: number, of = ''): string | null {
  if (said === null || said === undefined || said === found) return null;
  return `The config says a ${what} of ${said}${of}; the weights have ${found}, and this is used.`;
}

/** Additive and adaln_fuse have the same weights, which say nothing against either. */
function injected({ injection }: NanowmConfig, { injection: said }: HydraFacts): string | null {
  if (said === null || said === injection || (TWINS.has(said) && TWINS.has(injection))) return null;
  return `The config says that actions are injected by ${said}; the weights are those of ${injection}, which is used.`;
}
