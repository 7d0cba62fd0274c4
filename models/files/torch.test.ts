import { describe, expect, it } from 'vitest';
import { toFloat32 } from '../array/convert.ts';
import { expectedTensors, oddBytes, oddFile } from '../testing/checkpoints.ts';
import { readReference, referencePath } from '../testing/reference.ts';
import { countingSource } from '../testing/source.ts';
import { wideZip } from '../testing/zip.ts';
import { plainOf } from './pickle-plain.ts';
import { LazyTensor, OddTensor } from './pickle-values.ts';
import { sourceOfBytes } from './source.ts';
import { openTorch } from './torch.ts';
import { openZip } from './zip.ts';

type Dict = ReadonlyMap<string, unknown>;
const open = (bytes: Uint8Array) => openTorch(sourceOfBytes(bytes, 'a.pt'));
const text = (value: string) => new TextEncoder().encode(value);

function read(tensor: unknown) {
  if (!(tensor instanceof LazyTensor)) throw new Error('no tensor');
  return { shape: tensor.shape, values: [...toFloat32(tensor.read())] };
}
function expectTensors(dict: Dict, names: readonly string[]) {
  const expected = expectedTensors();
  for (const name of names) {
    const { shape, values } = read(dict.get(name));
    expect({ name, shape, values }).toEqual({
      name,
      shape: expected[name].shape,
      values: expected[name].values.map(Math.fround),
    });
  }
}
/** The zip file `name`, its entries changed, stored again. */
function repacked(name: string, change: (entry: string, data: Uint8Array) => Uint8Array | null, root = '') {
  const entries = openZip(oddFile(name)).flatMap((entry) => {
    const data = change(entry.name.replace(/^[^/]*\//, ''), entry.open().read(0, entry.size));
    return data ? [{ name: root + entry.name.replace(/^[^/]*\//, ''), data }] : [];
  });
  return wideZip(entries);
}

describe('the zip kind', () => {
  const value = () => openTorch(oddFile('odd.pt')).value as Dict;

  it('reads views of any strides, shared storages and every dtype as PyTorch does', () => {
    const dict = value().get('state_dict') as Dict;
    expectTensors(dict, Object.keys(expectedTensors()));
    expect(dict.get('complex')).toEqual(new OddTensor('complex64', [2]));
    expect(dict.size).toBe(Object.keys(expectedTensors()).length + 1);
  });

  it('reads what lies beside the tensors as plain data', () => {
    expect(plainOf(value().get('hyper_parameters'))).toEqual({
      model: { arch: 'NanoWM-B/2', num_frames: 4, sides: [1, 2.5, null, '${seed}'] },
      seed: 42,
      where: 'x/y',
      unset: '???',
    });
    expect(plainOf(value().get('device'))).toBe('cuda:0');
    expect(plainOf(value().get('dtype'))).toBe('torch.float32');
    expect(plainOf(value().get('size'))).toEqual([1, 2]);
  });

  it('reads files without checksums, deflated ones of another root, and 64-bit ones without a root', () => {
    const { turned } = expectedTensors();
    expectTensors(openTorch(oddFile('unchecked.pt')).value as Dict, ['turned']);
    expect(read(openTorch(oddFile('deflated.pt')).value)).toEqual(turned);
    expect(read(open(repacked('one-tensor.pt', (_, data) => data)).value)).toEqual(turned);
  });

  it('opens a file of 3 GB by its directory and its pickle', () => {
    const shift = 3e9;
    const end = wideZip(
      openZip(oddFile('one-tensor.pt')).map(({ name, read }) => ({ name, data: read() })),
      shift,
    );
    const source = countingSource(text('PK'), shift + end.length, end);
    const tensor = openTorch(source).value;
    expect(source.bytesRead()).toBeLessThan(80_000);
    expect(read(tensor)).toEqual(expectedTensors().turned);
  });
});

describe('the stream kind', () => {
  it('reads the same tensors', () => {
    const { kind, value } = openTorch(oddFile('odd-stream.pth'));
    expect(kind).toBe('torch-stream');
    const dict = (value as Dict).get('model') as Dict;
    expectTensors(dict, [...dict.keys()]);
    expect(dict.size).toBe(14);
  });

  const heads = 'lpips/squeeze/heads.pth';
  it.skipIf(referencePath(heads) === null)('reads a file that Python 2 wrote, tagged for a GPU', () => {
    const dict = open(readReference(heads)!).value as Dict;
    expect([...dict.keys()]).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => `lin${i}.model.1.weight`));
    expect(read(dict.get('lin0.model.1.weight')).shape).toEqual([1, 64, 1, 1]);
    // The heads weigh distances: none is negative.
    expect([...dict.values()].every((t) => read(t).values.every((w) => w >= 0))).toBe(true);
  });

  const episodes = 'dino-wm/point_maze/obses/episode_00';
  it.skipIf(referencePath(`${episodes}1.pth`) === null)(
    'reads one tensor alone, as the zip kind does',
    () => {
      const [zip, stream] = [0, 1].map((i) => open(readReference(`${episodes}${i}.pth`)!));
      expect([zip.kind, stream.kind]).toEqual(['torch-zip', 'torch-stream']);
      for (const { value } of [zip, stream]) {
        expect(value).toMatchObject({ dtype: 'uint8' });
        expect(read(value).shape.slice(1)).toEqual([32, 32, 3]);
      }
    },
  );
});

describe('bad files', () => {
  it('end in a sentence at every cut', () => {
    for (const name of ['one-tensor.pt', 'odd-stream.pth']) {
      const bytes = oddBytes(name);
      for (let length = 0; length < bytes.length; length += 7) {
        expect(() => open(bytes.slice(0, length)), `${name} ${length}`).toThrow(
          /^(invalid|missing|unsupported) /,
        );
      }
    }
  });

  const swap = (entry: string, data: string) => () =>
    open(repacked('one-tensor.pt', (name, old) => (name === entry ? text(data) : old)));
  const without = (entry: string) => () =>
    open(repacked('one-tensor.pt', (name, old) => (name === entry ? null : old)));

  it('are refused where a part is missing, too short, or of another machine', () => {
    expect(without('data/0')).toThrow('missing storage: data/0 in a.pt; the file is damaged');
    expect(without('data.pkl')).toThrow('invalid torch file: a.pt; this zip holds no data.pkl');
    expect(swap('data/0', 'short')).toThrow(
      'invalid storage: data/0 in a.pt; it holds 5 bytes where its tensors need 96',
    );
    expect(swap('byteorder', 'big')).toThrow('unsupported torch file: a.pt of a big-endian machine');
    expect(swap('data.pkl', 'cos\nsystem\n.')).toThrow("unsupported pickle global: 'os.system' in a.pt");
    expect(() =>
      open(
        wideZip([
          { name: 'm/data.pkl', data: text('N.') },
          { name: 'm/constants.pkl', data: text('N.') },
        ]),
      ),
    ).toThrow('unsupported file: TorchScript program a.pt');
  });

  /** A tensor over storage 0 of one-tensor.pt, its sides, strides and offset written by hand. */
  const claimed = (offset: number, sides: readonly number[], strides: readonly number[]) => {
    const tuple = (values: readonly number[]) => `(${values.map((v) => `I${v}\n`).join('')}t`;
    const storage = '(Vstorage\nctorch\nFloatStorage\nV0\nVcpu\nI24\ntQ';
    const tensor = `${storage}I${offset}\n${tuple(sides)}${tuple(strides)}`;
    return swap('data.pkl', `ctorch._utils\n_rebuild_tensor\n(${tensor}tR.`);
  };

  it('are refused where a tensor leaves its storage or repeats it without end', () => {
    expect(read(claimed(4, [2, 2], [8, 1])().value).values).toEqual([1, 1.25, 3, 3.25]);
    expect(claimed(0, [25], [1])).toThrow(
      'invalid tensor: of shape [25] over data/0 in a.pt; its storage ends before, at 96 bytes',
    );
    expect(claimed(1, [24], [1])).toThrow('its storage ends before');
    expect(claimed(0, [2, 2], [23, 1])).toThrow('its storage ends before');
    expect(claimed(0, [25e9], [1])).toThrow('its storage ends before');
    expect(claimed(0, [25e9], [0])).toThrow('it repeats its numbers too often');
    expect(claimed(0, Array<number>(9).fill(2 ** 52), Array<number>(9).fill(0))).toThrow('repeats');
    expect(claimed(0, [2], [1, 1])).toThrow('it has 2 strides');
    expect(claimed(0, [-1], [1])).toThrow('tensor without storage, offset, sides, strides');
  });

  it('are refused where the numbers of a tensor that has its storage for itself have changed', () => {
    const bytes = oddBytes('one-tensor.pt');
    // 5.75, the last of the numbers.
    const at = bytes.findIndex((_, i) => [0, 0, 0xb8, 0x40].every((byte, j) => bytes[i + j] === byte));
    bytes[at] = 1;
    expect(() => read(open(bytes).value)).toThrow(
      'invalid zip file: one-tensor/data/0 in a.pt; it is damaged',
    );
  });

  it('are refused where a stream counts other elements than its pickle', () => {
    const bytes = oddBytes('odd-stream.pth');
    // A storage of three ones behind their count.
    const three = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f];
    const at = bytes.findIndex((_, i) => three.every((byte, j) => bytes[i + j] === byte));
    expect(at).toBeGreaterThan(0);
    bytes[at] = 2;
    expect(() => open(bytes)).toThrow('invalid torch file: a.pt; its storages do not fit');
  });
});
