/**
 * The classes and functions that a checkpoint may name, and the data that we make of them. What is not here
 * is refused by its name. Nothing here looks up or runs anything of Python's: these are tables.
 */
import { invalid, unsupported } from '../errors.ts';
import { NumpyArray, NumpyDtype, numpyScalar } from './pickle-numpy.ts';
import { PickleGlobal, PickleObject } from './pickle-values.ts';
import { textsOf, TORCH_CALLS, torchType } from './pickle-torch.ts';

type Call = (args: readonly unknown[]) => unknown;

/** Instances of these keep their attributes as plain data (`plainOf` says what is shown of them). */
export const OMEGACONF_CONTAINERS = ['omegaconf.dictconfig.DictConfig', 'omegaconf.listconfig.ListConfig'];
export const OMEGACONF_NODES = ['Any', 'Integer', 'Float', 'String', 'Boolean', 'Bytes', 'Path'].map(
  (kind) => `omegaconf.nodes.${kind}Node`,
);
const OBJECTS = [
  'argparse.Namespace',
  'omegaconf.base.ContainerMetadata',
  'omegaconf.base.Metadata',
  ...OMEGACONF_CONTAINERS,
  ...OMEGACONF_NODES,
];
const DICTS = [
  'collections.OrderedDict',
  'builtins.dict',
  'pytorch_lightning.utilities.parsing.AttributeDict',
  'lightning.pytorch.utilities.parsing.AttributeDict',
  'lightning_fabric.utilities.data.AttributeDict',
  'lightning.fabric.utilities.data.AttributeDict',
];
const PATHS = ['PosixPath', 'WindowsPath', 'PurePosixPath', 'PureWindowsPath', 'Path', 'PurePath'];
/** Classes that stand as data beside others: the type of a node, the factory of a defaultdict. */
const NAMES = ['numpy.ndarray', 'builtins.object', 'builtins.NoneType', 'builtins.Ellipsis'];

const TYPES = /^(typing\.[A-Z]\w*|numpy\.(bool_?|u?int\d+|float\d+|complex\d+|str_|bytes_|object_))$/;

const CALLS: Readonly<Record<string, Call>> = {
  ...TORCH_CALLS,
  ...Object.fromEntries(OBJECTS.map((name): [string, Call] => [name, () => new PickleObject(name)])),
  ...Object.fromEntries(DICTS.map((name): [string, Call] => [name, ([items]) => dictOf(items, name)])),
  ...Object.fromEntries(PATHS.map((name): [string, Call] => [`pathlib.${name}`, pathOf])),
  'collections.defaultdict': ([, items]) => dictOf(items, 'collections.defaultdict'),
  'builtins.list': ([items]) => itemsOf(items, 'builtins.list'),
  'builtins.tuple': ([items]) => itemsOf(items, 'builtins.tuple'),
  'builtins.set': ([items]) => new Set(itemsOf(items, 'builtins.set')),
  'builtins.frozenset': ([items]) => new Set(itemsOf(items, 'builtins.frozenset')),
  'builtins.bytes': ([data]) => bytesOf(data, 'builtins.bytes'),
  'builtins.bytearray': ([data]) => bytesOf(data, 'builtins.bytearray'),
  'builtins.complex': (parts) => `${textsOf(parts, 'builtins.complex').join('+')}j`,
  ...Object.fromEntries(
    ['int', 'float', 'bool', 'str'].map((name): [string, Call] => [`builtins.${name}`, same(name)]),
  ),
  '_codecs.encode': encoded,
  'operator.getitem': genericType,
  'builtins.type': ([value]) => {
    if (value === null) return new PickleGlobal('builtins.NoneType');
    throw wrongArguments('builtins.type');
  },
  'numpy.dtype': ([code]) => {
    if (typeof code === 'string') return new NumpyDtype(code);
    throw wrongArguments('numpy.dtype');
  },
  'numpy._core.multiarray._reconstruct': () => new NumpyArray(),
  'numpy._core.multiarray.scalar': numpyScalar,
  'numpy._core.numeric._frombuffer': ([data, dtype, shape, order]) => {
    const array = new NumpyArray();
    array.fill(shape, dtype, order === 'F', data);
    return array;
  },
  'copyreg._reconstructor': ([type, , state]) => {
    if (type instanceof PickleGlobal && type.call && type.name !== 'copyreg._reconstructor') {
      return type.call(state === null ? [] : [state]);
    }
    throw wrongArguments('copyreg._reconstructor');
  },
};

const FOUND = new Map<string, PickleGlobal>([
  ...Object.entries(CALLS).map(([name, call]): [string, PickleGlobal] => [
    name,
    new PickleGlobal(name, call),
  ]),
  ...NAMES.map((name): [string, PickleGlobal] => [name, new PickleGlobal(name)]),
]);

/** The global that a pickle names. @throws a sentence with its name when it is not in the list. */
export function findGlobal(module: string, name: string, label: string): PickleGlobal {
  const plain = `${presentModule(module)}.${name}`;
  const full = Object.hasOwn(PRESENT_NAMES, plain) ? PRESENT_NAMES[plain] : plain;
  const known = FOUND.get(full) ?? torchType(full);
  if (known) return known;
  if (TYPES.test(full)) return new PickleGlobal(full);
  throw unsupported('pickle global', `'${module}.${name}' in ${label}`, remedyFor(full));
}

function remedyFor(name: string): string {
  if (name === 'torch.storage._load_from_bytes') {
    return 'it was written by pickle and not by torch.save; save it with torch.save';
  }
  if (name.startsWith('torch._utils._rebuild_')) {
    return 'tensors of this kind are not read; save dense ones of a usual dtype';
  }
  return 'such a file could run code; save only the weights: torch.save(model.state_dict(), file)';
}

const PRESENT_NAMES: Readonly<Record<string, string>> = {
  'builtins.long': 'builtins.int',
  'builtins.unicode': 'builtins.str',
};

/** Names of Python 2 and of older and newer libraries, as one. */
function presentModule(module: string): string {
  if (module === '__builtin__') return 'builtins';
  if (module === 'copy_reg') return 'copyreg';
  if (module === '_operator') return 'operator';
  if (module === 'pathlib._local') return 'pathlib';
  return module.replace(/^numpy\.core\./, 'numpy._core.');
}

function dictOf(items: unknown, name: string): Map<unknown, unknown> {
  if (items === undefined) return new Map();
  if (items instanceof Map) return new Map(items);
  return new Map(
    itemsOf(items, name).map((pair): [unknown, unknown] => {
      if (Array.isArray(pair) && pair.length === 2) return [pair[0], pair[1]];
      throw wrongArguments(name);
    }),
  );
}

function itemsOf(items: unknown, name: string): unknown[] {
  if (items === undefined) return [];
  if (Array.isArray(items) || items instanceof Set) return [...(items as Iterable<unknown>)];
  throw wrongArguments(name);
}

function bytesOf(data: unknown, name: string): Uint8Array {
  if (data === undefined) return new Uint8Array();
  if (data instanceof Uint8Array) return data;
  throw wrongArguments(name);
}

function pathOf(parts: readonly unknown[]): string {
  const text = textsOf(parts, 'pathlib.Path').join('/');
  return text.replace(/^\/\/+/, '/') || '.';
}

/** int, float, bool and str of a value that is one already; nothing is converted. */
function same(name: string): Call {
  return ([value]) => {
    if (['number', 'bigint', 'boolean', 'string'].includes(typeof value)) return value;
    throw wrongArguments(`builtins.${name}`);
  };
}

/** Protocol 2 writes bytes as text of one byte a character. */
function encoded([text, encoding]: readonly unknown[]): Uint8Array {
  if (typeof text !== 'string' || !(encoding === 'latin1' || encoding === undefined)) {
    throw wrongArguments('_codecs.encode');
  }
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 255) throw wrongArguments('_codecs.encode');
    out[i] = code;
  }
  return out;
}

/** `Dict[str, Any]`: the type's name is enough. */
function genericType([type]: readonly unknown[]): PickleGlobal {
  if (type instanceof PickleGlobal && type.name.startsWith('typing.')) return type;
  throw wrongArguments('operator.getitem');
}

function wrongArguments(name: string): Error {
  return invalid('pickle', name, 'its arguments are of no kind that Python writes; the file is damaged');
}
