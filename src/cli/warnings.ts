/** What a rollout does without being wrong, although nobody can have meant it. */
import type { Clip } from '../../models/clip.ts';
import type { RunSpec } from '../../models/run.ts';
import { TRAINED_MAP, unseenMap } from '../../models/worlds/maze/live.ts';

/** Sentences for standard error, before the run. */
export function warningsOf({ bundle, clip: name, horizon }: RunSpec, clip: Pick<Clip, 'length'>): string[] {
  const map = unseenMap(bundle, name);
  return [
    ...(map === null
      ? []
      : [`This model was trained on ${TRAINED_MAP} only; what it predicts on ${map} means nothing.`]),
    ...(horizon > clip.length
      ? [`The clip has ${clip.length} frames; those after them have no truth to be measured against.`]
      : []),
  ];
}
