import { describe, expect, it } from 'vitest';
import { toFloat32 } from '../array/convert.ts';
import { oddBytes } from '../testing/checkpoints.ts';
import { findGlobal } from './pickle-allow.ts';
import { cursorOver } from './pickle-cursor.ts';
import type { NumpyArray } from './pickle-numpy.ts';
import { plainOf } from './pickle-plain.ts';
import { LazyTensor } from './pickle-values.ts';
import { unpickle } from './pickle.ts';
import { sourceOfBytes } from './source.ts';

const find = (module: string, name: string) => findGlobal(module, name, 'a.pkl');
const load = (bytes: Uint8Array) => unpickle(cursorOver(sourceOfBytes(bytes, 'a.pkl')), { find });
/** A pickle written by hand, one letter a byte. */
const hand = (text: string) => load(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
const PROTOCOLS = [0, 1, 2, 3, 4, 5];

describe('values that Python wrote', () => {
  it.each(PROTOCOLS)('are the same in protocol %i', (protocol) => {
    const value = load(oddBytes(`plain-${protocol}.pkl`)) as Map<string, unknown>;
    expect(value.get('bytes')).toEqual(Uint8Array.of(0, 255));
    expect(value.get('large')).toBe(2n ** 70n);
    expect(plainOf(value)).toEqual({
      none: null,
      yes: true,
      whole: [0, 255, 65535, -1, 2 ** 31, -(2 ** 40)],
      large: String(2n ** 70n),
      real: [1.5, -1e300, Infinity],
      text: 'žluťoučký 🐎 \\ \n',
      bytes: '2 bytes',
      tuple: [1, [2, [3, 4, 5, 6]]],
      keys: { '1': 'one', '(0, 1)': 'pair' },
      set: [1],
      ordered: { b: 1, a: 2 },
      default: { x: [1] },
      namespace: { lr: 1e-4, name: 'run' },
      path: '/data/x.npz',
      numpy: [0.1, 1.5, 3, true, 'é', 2],
      dtype: 'numpy f4',
    });
  });

  it.each(PROTOCOLS)('hold NumPy arrays of both orders in protocol %i', (protocol) => {
    const arrays = load(oddBytes(`arrays-${protocol}.pkl`)) as Map<string, NumpyArray>;
    const read = (name: string) => {
      const tensor = arrays.get(name)?.tensor;
      if (!(tensor instanceof LazyTensor)) throw new Error(name);
      return [tensor.dtype, tensor.shape, [...toFloat32(tensor.read())]];
    };
    expect(read('rows')).toEqual(['int32', [2, 3], [0, 1, 2, 3, 4, 5]]);
    expect(read('columns')).toEqual(['float32', [2, 3], [0, 1, 2, 3, 4, 5]]);
    expect(read('big')).toEqual(['float32', [2], [1, -2]]);
    expect(read('none')).toEqual(['float64', [0, 2], []]);
  });

  it('are found under the names of NumPy 1 and Python 2', () => {
    const old = new TextDecoder('latin1')
      .decode(oddBytes('arrays-2.pkl'))
      .replaceAll('numpy._core.', 'numpy.core.');
    expect(plainOf(hand(old))).toEqual(plainOf(load(oddBytes('arrays-2.pkl'))));
    expect(old).toContain('numpy.core.multiarray');
    expect(hand('c__builtin__\nunicode\n(S"a\\x41\'"\ntR.')).toBe("aA'");
  });
});

describe('what a pickle may not name', () => {
  it.each([
    ['os', 'system'],
    ['posix', 'system'],
    ['builtins', 'eval'],
    ['builtins', 'getattr'],
    ['__builtin__', 'exec'],
    ['subprocess', 'Popen'],
    ['numpy', 'load'],
    ['torch', 'load'],
    ['torch.hub', 'load'],
    ['collections', '__class__'],
    ['typing', 'get_type_hints'],
    ['__proto__', 'constructor'],
    ['builtins', 'constructor'],
  ])('is named and refused: %s.%s', (module, name) => {
    const sentence = `unsupported pickle global: '${module}.${name}' in a.pkl; such a file could run code; save`;
    expect(() => hand(`c${module}\n${name}\n(S'x'\ntR.`)).toThrow(sentence);
    expect(() => hand(`(S'x'\ni${module}\n${name}\n.`)).toThrow(sentence);
    expect(() => hand(`\x80\x04\x8c${chr(module)}${module}\x8c${chr(name)}${name}\x93.`)).toThrow(sentence);
  });

  it('is refused even where it is only named, or hidden in what is read by pickle alone', () => {
    expect(() => hand('(lp0\ncos\nsystem\n0.')).toThrow("'os.system'");
    expect(() => hand('ctorch.storage\n_load_from_bytes\n.')).toThrow('save it with torch.save');
    expect(() => hand('ctorch._utils\n_rebuild_sparse_tensor\n.')).toThrow('save dense ones');
  });

  it('calls nothing but the list, and never with what it does not expect', () => {
    expect(() => hand("S'os'\n)R.")).toThrow('it calls what is no function');
    expect(() => hand('cnumpy\nndarray\n)R.')).toThrow('unsupported pickle call: numpy.ndarray');
    expect(() => hand('coperator\ngetitem\n(]K\x00tR.')).toThrow('invalid pickle: operator.getitem');
    expect(() => hand('cbuiltins\ntype\n(]tR.')).toThrow('invalid pickle: builtins.type');
    expect(() => hand('c_codecs\nencode\n(Vx\nVrot13\ntR.')).toThrow('invalid pickle: _codecs.encode');
    expect(() => hand('cpathlib\nPath\n(]tR.')).toThrow('invalid pickle: pathlib.Path');
  });
});

describe('damaged pickles', () => {
  it('end in a sentence at every cut', () => {
    for (const protocol of PROTOCOLS) {
      const bytes = oddBytes(`plain-${protocol}.pkl`);
      for (let length = 0; length < bytes.length; length += 3) {
        expect(() => load(bytes.slice(0, length)), `${length}`).toThrow(/^(invalid|unsupported) /);
      }
    }
  });

  it('say what they lack', () => {
    expect(() => hand('.')).toThrow('takes a value that is not there');
    expect(() => hand('t.')).toThrow('takes a mark that is not there');
    expect(() => hand('h\x05.')).toThrow('refers to a value that is not there');
    expect(() => hand('K\x01K\x02a.')).toThrow('appends to what is no list');
    expect(() => hand('}K\x01K\x02sK\x01K\x03s.')).toThrow('a dict in it names a key twice');
    expect(() => hand('Nb.')).toThrow('takes a value that is not there');
    expect(() => hand('NNb.')).toThrow('gives a state to what has none');
    expect(() => hand('\x82\x01.')).toThrow('0x82 in it is no allowed opcode');
    expect(() => hand('\x80\x06.')).toThrow('unsupported pickle protocol: 6');
    expect(() => hand("(S'x'\nQ.")).toThrow('refers to data outside');
  });

  it('are refused before they fill the memory', () => {
    const many = (text: string, count: number) => text.repeat(count);
    expect(() => hand(many(']', 600_000))).toThrow('unsupported pickle: a.pkl; it holds too many lists');
    expect(() => hand(many('N', 2_100_000))).toThrow('too many values');
    expect(() => hand(many('(', 2000))).toThrow('too many levels');
    expect(() => hand('X\xff\xff\xff\xff')).toThrow('too much text');
    expect(() => hand('X\x00\x00\x00\x08')).toThrow('it ends too early');
    expect(() => hand('\x8b\xff\xff\xff\xff')).toThrow('too long a number');
    expect(() => hand(`cpathlib\n${many('P', 2 ** 17)}`)).toThrow('a line in it has no end');
    // One long list handed over again and again.
    const list = `cbuiltins\nset\np0\n(l${many('Na', 100_000)}p1\n\x85p2\n`;
    expect(() => hand(list + many('g0\ng2\nR', 5000))).toThrow('too much text or data');
  });

  it('are cut short where shared values would make a huge text of them', () => {
    const doubled =
      ']p0\nK\x01a' + Array.from({ length: 40 }, (_, i) => `]p${i + 1}\ng${i}\nag${i}\na`).join('');
    expect(JSON.stringify(plainOf(hand(`${doubled}.`))).length).toBeLessThan(400_000);
    const cycle = hand(']p0\ng0\na.');
    expect(JSON.stringify(plainOf(cycle))).toContain('...');
  });
});

function chr(text: string): string {
  return String.fromCharCode(text.length);
}
