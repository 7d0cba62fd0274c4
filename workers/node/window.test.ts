import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSafetensors } from '../../models/files/safetensors.ts';
import { parseYaml } from '../../models/files/yaml.ts';
import { nanowmConfig } from '../../models/nanowm/config.ts';
import { configFromHydra } from '../../models/nanowm/hydra.ts';
import { openNanowm } from '../../models/nanowm/weights.ts';
import { buildWindow } from '../../models/nanowm/window.ts';
import { referenceArrays, referencePath } from '../../models/testing/reference.ts';
import { RUNTIMES } from '../testing/runtimes.ts';
import { openSession } from './session.ts';

const NAMES = ['additive', 'adaln', 'adaln-fuse', 'bidirectional', 'cross-attention', 'csgo', 'film', 'flow'];

describe.each(NAMES)('window graph of %s', (name) => {
  const folder = referencePath(`nanowm/${name}`);
  test.skipIf(folder === null).each(RUNTIMES)('equals the original (%s)', async (runtime) => {
    const weights = openNanowm(readSafetensors(new Uint8Array(readFileSync(`${folder}/model.safetensors`))));
    const facts = configFromHydra(parseYaml(readFileSync(`${folder}/config.yaml`, 'utf8')));
    const session = await openSession(buildWindow(nanowmConfig(weights, facts), weights), { runtime });
    onTestFinished(() => session.release());
    const io = referenceArrays(`nanowm/${name}/io.npz`);
    const { output } = await session.run({
      x: io.get('x'),
      timesteps: io.get('timesteps'),
      actions: io.get('actions'),
    });
    expect(output!.shape).toEqual(io.get('output').shape);
    expect(output!.data).toBeCloseTensor(io.get('output').data as Float32Array, { relativeToLargest: 2e-5 });
  });
});
