import { expect, test } from 'vitest';
import { parseSpec } from '../../models/run.ts';
import { exampleManifest } from '../../models/testing/manifest.ts';
import { warningsOf } from './warnings.ts';

const spec = (clip: string, horizon = 4) => ({
  ...parseSpec({ clip, horizon }, exampleManifest()),
  bundle: 'maze',
});

test('frames beyond the clip are told to have no truth, those within it are not', () => {
  expect(warningsOf(spec('maze-01', 5), { length: 4 })).toEqual([
    'The clip has 4 frames; those after them have no truth to be measured against.',
  ]);
  expect(warningsOf(spec('maze-01', 4), { length: 4 })).toEqual([]);
});

test('a maze that the embedded model was not trained on is told; other models are nobody’s to judge', () => {
  const there = { length: 12 };
  expect(warningsOf(spec('maze:medium:7'), there)).toEqual([
    'This model was trained on umaze only; what it predicts on medium means nothing.',
  ]);
  expect(warningsOf(spec('maze:umaze:7'), there)).toEqual([]);
  expect(warningsOf({ ...spec('maze:medium:7'), bundle: 'mine' }, there)).toEqual([]);
});
