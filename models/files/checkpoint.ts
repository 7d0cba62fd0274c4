/** A checkpoint file of any kind as named weights. Only its header, directory or pickle is read now. */
import { missing } from '../errors.ts';
import { lookAt, notWeights } from './format.ts';
import { findGlobal } from './pickle-allow.ts';
import { cursorOver } from './pickle-cursor.ts';
import { unpickle } from './pickle.ts';
import { openSafetensors } from './safetensors.ts';
import type { ByteSource } from './source.ts';
import { findStateDict } from './state-dict.ts';
import { openTorch } from './torch.ts';
import { weightsFrom } from './weights.ts';
import type { Weights } from './weights.ts';

export interface Checkpoint {
  /** `pickle`: written by Python's pickle alone, its tensors NumPy's. */
  readonly format: 'safetensors' | 'torch-zip' | 'torch-stream' | 'pickle';
  readonly weights: Weights;
  /** What the training run says of itself, as plain data; null when the file says nothing. */
  readonly hyperparameters: unknown;
  /** The place of the weights in the file: `bare`, `state_dict`, `model`, `ema`, ... */
  readonly where: string;
  /** Names of what is left out: optimizer states, other weights, values without numbers. */
  readonly others: readonly string[];
}

export interface CheckpointOptions {
  /** The place to take the weights from, as `where` names it; the preferred one unless given. */
  readonly part?: string | undefined;
}

/** @throws one sentence for what is no checkpoint, is damaged, or names what is not allowed. */
export function openCheckpoint(source: ByteSource, { part }: CheckpointOptions = {}): Checkpoint {
  const { label } = source;
  const kind = lookAt(source);
  switch (kind) {
    case 'safetensors': {
      if (part !== undefined && part !== 'bare') {
        throw missing('part', `'${part}' of ${label}`, 'safetensors files have one only: bare');
      }
      const weights = openSafetensors(source);
      return { format: kind, weights, hyperparameters: null, where: 'bare', others: [] };
    }
    case 'torch-zip':
    case 'torch-stream':
      return fromPickle(openTorch(source).value, kind, label, part);
    case 'pickle': {
      const find = (module: string, name: string) => findGlobal(module, name, label);
      return fromPickle(unpickle(cursorOver(source), { find }), kind, label, part);
    }
    default:
      throw notWeights(kind, label);
  }
}

function fromPickle(
  value: unknown,
  format: Checkpoint['format'],
  label: string,
  part: string | undefined,
): Checkpoint {
  const { tensors, ...rest } = findStateDict(value, label, part);
  return { format, weights: weightsFrom(tensors, label), ...rest };
}
