/** Good files, changed at random (seeded): every reader gives a result or a sentence, within bounds. */
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../array/random.ts';
import type { Tensor } from '../array/tensor.ts';
import { PlaygroundError } from '../errors.ts';
import { oddBytes } from '../testing/checkpoints.ts';
import { wideZip } from '../testing/zip.ts';
import { openCheckpoint } from './checkpoint.ts';
import { readNpy, writeNpy } from './npy.ts';
import { openNpz, writeNpz } from './npz.ts';
import { findGlobal } from './pickle-allow.ts';
import { cursorOver } from './pickle-cursor.ts';
import { plainOf } from './pickle-plain.ts';
import { unpickle } from './pickle.ts';
import { openSafetensors, writeSafetensors } from './safetensors.ts';
import { sourceOfBytes } from './source.ts';
import type { ByteSource } from './source.ts';
import { findStateDict } from './state-dict.ts';
import { openTorch } from './torch.ts';
import { openZip } from './zip.ts';

const ROUNDS = 600;
/** What one reader may read of a file in all, in files, and how long it may take, in ms. */
const MOST_READ = 60;
const LONGEST = 5000;

const tensors: Record<string, Tensor> = {
  a: { dtype: 'float32', shape: [2, 3], data: new Float32Array(6).fill(1.5) },
  b: { dtype: 'int64', shape: [], data: BigInt64Array.of(7n) },
  c: { dtype: 'bfloat16', shape: [5], data: new Uint16Array(5) },
};
const { c: _, ...arrays } = tensors;
const text = new TextEncoder().encode('some text, some text, some text');

const PICKLE = 'odd/data.pkl';
const odd = openZip(sourceOfBytes(oddBytes('odd.pt'), 'odd.pt')).map((entry) => ({
  name: entry.name,
  data: entry.read(),
}));

/** Everything that the file offers is read. */
const READERS: readonly (readonly [string, Uint8Array, (source: ByteSource) => unknown])[] = [
  ['safetensors', writeSafetensors(tensors, { format: 'pt' }), (source) => readAll(openSafetensors(source))],
  [
    'zip',
    zipSync({ a: text, 'b/c': [text, { level: 0 }] }),
    (source) => openZip(source).map((e) => e.read()),
  ],
  [
    'zip64',
    wideZip([{ name: 'a', data: text }]),
    (source) => openZip(source).map((e) => e.open().read(0, e.size)),
  ],
  ['npz', writeNpz(arrays), (source) => readAll(openNpz(source))],
  ['npy', writeNpy(tensors.a), (source) => readNpy(source.read(0, source.size), 'a')],
  ...[0, 2, 4].map((p) => [`pickle ${p}`, oddBytes(`plain-${p}.pkl`), plainPickle] as const),
  ...[0, 3].map((p) => [`arrays ${p}`, oddBytes(`arrays-${p}.pkl`), pickledArrays] as const),
  ['torch zip', oddBytes('odd.pt'), checkpoint],
  ['deflated torch zip', oddBytes('deflated.pt'), (source) => plainOf(openTorch(source).value)],
  ['pickle of a torch zip', odd.find(({ name }) => name === PICKLE)!.data, torchPickle],
  ['torch stream', oddBytes('odd-stream.pth'), checkpoint],
];

function readAll(file: { readonly names: readonly string[]; get(name: string): Tensor }): unknown {
  return file.names.map((name) => file.get(name));
}
function plainPickle(source: ByteSource): unknown {
  return plainOf(unpickle(cursorOver(source), { find: (m, n) => findGlobal(m, n, 'a.pkl') }));
}
/** A pickle in an archive that has no checksums. */
function torchPickle(source: ByteSource): unknown {
  const data = source.read(0, source.size);
  const entries = odd.map((entry) => (entry.name === PICKLE ? { name: PICKLE, data, checksum: 0 } : entry));
  return checkpoint(sourceOfBytes(wideZip(entries), source.label));
}
function pickledArrays(source: ByteSource): unknown {
  const dict = unpickle(cursorOver(source), { find: (m, n) => findGlobal(m, n, 'a.pkl') });
  const { tensors } = findStateDict(dict, 'a.pkl');
  return [...tensors.values()].map((tensor) => tensor.read());
}
function checkpoint(source: ByteSource): unknown {
  return readAll(openCheckpoint(source).weights);
}

/** One to four changes: a byte, a bit, a number made extreme, a cut, a piece left out, doubled or moved. */
function mutated(good: Uint8Array, random: () => number): Uint8Array {
  const below = (n: number) => Math.floor(random() * n);
  let bytes = good.slice();
  for (let change = 0; change <= below(4) && bytes.length > 0; change++) {
    const at = below(bytes.length);
    const length = 1 + below(Math.min(40, bytes.length - at));
    const piece = bytes.slice(at, at + length);
    switch (below(8)) {
      case 0:
        bytes[at] = below(256);
        break;
      case 1:
        bytes[at] ^= 1 << below(8);
        break;
      case 2:
        bytes.fill([0, 0xff, 0x7f, 0x80, 0x30, 0x39][below(6)], at, at + 1 + below(8));
        break;
      case 3:
        bytes = bytes.slice(0, at);
        break;
      case 4:
        bytes = Uint8Array.of(...bytes.slice(0, at), ...bytes.slice(at + length));
        break;
      case 5:
        bytes = Uint8Array.of(...bytes.slice(0, at), ...piece, ...bytes.slice(at));
        break;
      case 6:
        bytes.set(piece, below(bytes.length - length + 1));
        break;
      default:
        // One digit more: of a length in text, or in the middle of a name.
        bytes = Uint8Array.of(...bytes.slice(0, at), 0x30 + below(10), ...bytes.slice(at));
    }
  }
  return bytes;
}

describe('changed files', () => {
  it.each(READERS)('give a result or a sentence: %s', (_, good, read) => {
    const random = seededRandom(20261207, good.length);
    let results = 0;
    let sentences = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = round === 0 ? good : mutated(good, random);
      const inner = sourceOfBytes(bytes, 'a.file');
      let bytesRead = 0;
      const source: ByteSource = {
        ...inner,
        read: (offset, length) => {
          bytesRead += length;
          return inner.read(offset, length);
        },
      };
      const start = performance.now();
      try {
        read(source);
        results++;
      } catch (error) {
        sentences++;
        if (!(error instanceof PlaygroundError)) throw new Error(`round ${round}`, { cause: error });
        expect(error.message).toMatch(/^(invalid|missing|unknown|unsupported) .*; \S/);
      }
      expect(bytesRead, `round ${round}`).toBeLessThan(MOST_READ * Math.max(bytes.length, 2 ** 16));
      expect(performance.now() - start, `round ${round}`).toBeLessThan(LONGEST);
    }
    // Changes that no reader could notice, and changes that each must.
    expect(results).toBeGreaterThan(0);
    expect(sentences).toBeGreaterThan(ROUNDS / 10);
  });
});
