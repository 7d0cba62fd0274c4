/** The result that was recorded for a clip, shown before the model is there. Most clips have none, and that is no fault. */
import { readRecording } from '../../../models/recording.ts';
import { fetchBytes, fetchJson } from './fetching.ts';
import { parseEpisode } from '../../../models/worlds/maze/live.ts';
import { recordedRun } from './produced.ts';
import type { RunsStore } from './runs.ts';
import type { Settings } from './settings.ts';

const tried = new Set<string>();

export async function loadRecording(clip: string, runs: RunsStore, defaults: Settings): Promise<void> {
  if (tried.has(clip) || parseEpisode(clip)) return;
  tried.add(clip);
  try {
    const [json, npz] = await Promise.all([
      fetchJson(`recorded/${clip}.json`),
      fetchBytes(`recorded/${clip}.npz`),
    ]);
    const run = recordedRun(readRecording(json, npz, clip), { ...defaults, clip });
    const { runs: list, shown } = runs.getState();
    // It was there before everything else, so it stands first.
    runs.setState({ runs: [run, ...list], shown: shown ?? run.id });
  } catch {
    // Without a recording the panel says that there is no prediction yet.
  }
}
