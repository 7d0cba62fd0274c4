/** Names of episodes that are simulated on demand: a map and a number, `maze:umaze:1234`. */

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

export function episodeId({ map, seed }: EpisodeName): string {
  return `maze:${map}:${seed}`;
}
