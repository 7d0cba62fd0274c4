/** Gets clips: the list, a served clip's file, an episode simulated by MuJoCo in its worker. */
import * as v from 'valibot';
import { readClip } from '../../../models/clip.ts';
import type { Clip } from '../../../models/clip.ts';
import { unknown } from '../../../models/errors.ts';
import { parseWith } from '../../../models/schema.ts';
import { EPISODE_FRAMES, parseEpisode, wrongEpisode } from '../../../models/worlds/maze/live.ts';
import type { Engine } from '../engine/workers.ts';
import { words } from '../words.ts';
import { entryOf, putEntries } from './clips.ts';
import type { ClipsStore } from './clips.ts';
import { fetchBytes, fetchJson } from './fetching.ts';
import { failureOf } from './sentence.ts';

const indexSchema = v.looseObject({
  version: v.literal(1),
  clips: v.array(v.looseObject({ id: v.string(), title: v.string(), file: v.string() })),
});

export interface Library {
  /** Fetches the list of clips, then each clip's file. */
  loadIndex(): Promise<void>;
  /**
   * The clip with this id: from the list, or simulated when it is the name of an episode.
   * @param size side of a simulated episode's frames in pixels.
   */
  get(id: string, size: number): Promise<Clip>;
}

export function createLibrary(clips: ClipsStore, engine: Engine): Library {
  const files = new Map<string, string>();
  const coming = new Map<string, Promise<Clip>>();
  let index: Promise<void> | null = null;

  const readIndex = async () => {
    // What failed before may be another thing, such as a clip that a link asks for and nobody has.
    clips.setState(({ status, failure }) => ({
      status: 'loading',
      failure: status === 'failed' ? null : failure,
    }));
    try {
      const json = parseWith(
        indexSchema,
        await fetchJson('clips/index.json'),
        'clip index',
        'build the page again',
      );
      for (const { id, file } of json.clips) files.set(id, file);
      const before = clips.getState().entries;
      const served = json.clips.map(({ id, title }) => {
        const entry = before.find((one) => one.id === id);
        return { id, title, clip: entry?.clip ?? null, failure: null };
      });
      const own = before.filter(({ id }) => parseEpisode(id));
      clips.setState({ entries: [...own, ...served] });
      clips.setState({ status: 'ready' });
    } catch (error) {
      index = null;
      clips.setState({ status: 'failed', failure: `${words.clipsFailed} ${failureOf(error).sentence}` });
    }
  };

  const served = async (id: string): Promise<Clip> => {
    // The usual name is asked for at once; only an unusual one has to wait for the list.
    const usual = /^[a-z]+-[0-9]{2}$/.test(id) ? `${id}.npz` : null;
    const listed = async (): Promise<string> => {
      await (index ??= readIndex());
      const file = files.get(id);
      if (file === undefined) throw wrongEpisode(id) ?? unknown('clip', id, 'choose one from the list');
      return file;
    };
    const file = files.get(id) ?? usual ?? (await listed());
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await fetchBytes(`clips/${file}`);
    } catch (error) {
      // Without a list nobody knows whether there is such a clip.
      await (index ??= readIndex());
      if (files.size > 0) await listed();
      throw error;
    }
    return readClip(bytes, file);
  };

  const simulated = async (id: string, size: number): Promise<Clip> => {
    const { map, seed } = parseEpisode(id)!;
    clips.setState({ simulating: true });
    try {
      return await engine.mujoco.call((worker) =>
        worker.episode({ map, seed, frames: EPISODE_FRAMES, size }),
      );
    } finally {
      clips.setState({ simulating: false });
    }
  };

  const get = (id: string, size: number): Promise<Clip> => {
    const there = entryOf(clips.getState(), id)?.clip;
    if (there) return Promise.resolve(there);
    const name = parseEpisode(id);
    const started =
      coming.get(id) ??
      (name ? simulated(id, size) : served(id)).finally(() => {
        coming.delete(id);
      });
    coming.set(id, started);
    return started.then((clip) => {
      const title = name
        ? words.episodeTitle(name.map, name.seed)
        : (entryOf(clips.getState(), id)?.title ?? id);
      putEntries(clips, [{ id, title, clip, failure: null }]);
      return clip;
    });
  };

  return {
    loadIndex: async () => {
      await (index ??= readIndex());
      for (const { id, clip } of clips.getState().entries) {
        if (clip || parseEpisode(id)) continue;
        // One clip that does not come leaves the others as they are.
        await get(id, 0).catch((error: unknown) => {
          const entry = entryOf(clips.getState(), id);
          if (entry) putEntries(clips, [{ ...entry, failure: failureOf(error).sentence }]);
        });
      }
    },
    get,
  };
}
