/** The weights of a NanoWM under the names of facts/nanowm.md section 1, whatever wraps them in the file. */
import { invalid, missing } from '../errors.ts';
import type { Weights } from '../files/weights.ts';
import { readWeight } from '../onnx/weights.ts';

export interface NanowmWeights {
  /** Without prefixes; the weights of a VAE beside them are left out. */
  readonly names: readonly string[];
  /** @throws when the weight is absent or, where one is given, has another rank. */
  shape(name: string, rank?: number): readonly number[];
  /** Row-major. @throws when the weight is absent or has another shape. */
  get(name: string, shape: readonly number[]): Float32Array;
}

/** What PyTorch Lightning, DataParallel and torch.compile put in front of a name, in any order and number. */
const WRAPPERS = /^(?:model\.|module\.|_orig_mod\.|state_dict\.)+/;
/** Where this weight is, there is a NanoWM. */
const LANDMARK = 'x_embedder.proj.weight';

/** @throws one sentence when the file holds no NanoWM. */
export function openNanowm(weights: Weights): NanowmWeights {
  const stored = new Map<string, string>();
  for (const name of weights.names) {
    const bare = name.replace(WRAPPERS, '');
    if (bare.startsWith('vae.')) continue;
    const twin = stored.get(bare);
    if (twin !== undefined) throw invalid('weights', bare, `the file holds it twice, as ${twin} and ${name}`);
    stored.set(bare, name);
  }
  if (!stored.has(LANDMARK)) {
    throw missing(
      'weight',
      LANDMARK,
      'these are not the weights of a NanoWM; give its model.safetensors or checkpoint',
    );
  }
  const find = (name: string): string => {
    const inFile = stored.get(name);
    if (inFile === undefined) {
      throw missing(
        'weight',
        name,
        'the file is no complete NanoWM; get it again or export it with all parts',
      );
    }
    return inFile;
  };
  return {
    names: [...stored.keys()],
    shape: (name, rank) => {
      const shape = weights.shape(find(name));
      if (rank !== undefined && shape.length !== rank) {
        throw invalid('weight', `${name} of shape [${shape.join(', ')}]`, `a NanoWM has ${rank} sides there`);
      }
      return shape;
    },
    get: (name, shape) => readWeight(weights, find(name), shape),
  };
}
