/** Small checkpoints on disk, for commands that tests run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tensor } from '../../../models/array/tensor.ts';
import { writeSafetensors } from '../../../models/files/safetensors.ts';
import { exampleWeights } from '../../../models/testing/nanowm.ts';
import { workspace } from './run.ts';

/** A folder with weights of our own and, if there is one, their config. */
export function checkpoint(tensors: Record<string, Tensor>, config?: string): string {
  const folder = join(workspace(), 'checkpoint');
  mkdirSync(folder);
  writeFileSync(join(folder, 'model.safetensors'), writeSafetensors(tensors));
  if (config !== undefined) writeFileSync(join(folder, 'config.yaml'), config);
  return folder;
}

/** A NanoWM of 2 blocks, 16 wide. */
export const plain = () => exampleWeights({ width: 16, headWidth: 8, patches: 16, frames: 4 });
