/** Names of episodes that are simulated on demand: a map and a number, `maze:umaze:1234`. */
import { unknown } from '../../errors.ts';
import type { PlaygroundError } from '../../errors.ts';

export interface EpisodeName {
  readonly map: string;
  readonly seed: number;
}

/** Frames of a simulated episode: enough for a rollout of several windows. */
export const EPISODE_FRAMES = 12;

/** Largest seed of a simulated episode (episode.ts: an episode's number has 32 bits). */
export const LARGEST_SEED = 2 ** 32 - 1;

/** Reads `maze:umaze:1234`; null when it is not the name of an episode. */
export function parseEpisode(id: string): EpisodeName | null {
  const match = /^maze:([a-z]+):(0|[1-9][0-9]{0,9})$/.exec(id);
  const seed = Number(match?.[2]);
  return match && seed <= LARGEST_SEED ? { map: match[1]!, seed } : null;
}

/** The error for a name that looks like an episode's but is none; null for other names. */
export function wrongEpisode(id: string): PlaygroundError | null {
  if (!id.startsWith('maze:') || parseEpisode(id)) return null;
  const remedy = `an episode is maze:MAP:NUMBER, with a number from 0 to ${LARGEST_SEED}`;
  return unknown('clip', id, remedy);
}

/** The map that the embedded model, of bundle id `maze`, was trained on. */
export const TRAINED_MAP = 'umaze';

/** The map of this clip, when the bundle's model has never seen it: its frames there mean nothing. Null otherwise. */
export function unseenMap(bundle: string, clip: string): string | null {
  const map = parseEpisode(clip)?.map ?? TRAINED_MAP;
  return bundle === 'maze' && map !== TRAINED_MAP ? map : null;
}

export function episodeId({ map, seed }: EpisodeName): string {
  return `maze:${map}:${seed}`;
}
