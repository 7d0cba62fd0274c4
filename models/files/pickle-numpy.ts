/** NumPy's scalars and arrays inside a pickle (numpy.core.multiarray). */
import { arrayOfBytes, BYTES_PER_ELEMENT, swapBytes } from '../array/bytes.ts';
import { toFloat32 } from '../array/convert.ts';
import { sizeOf } from '../array/tensor.ts';
import type { Dtype } from '../array/tensor.ts';
import { invalid } from '../errors.ts';
import { NPY_DTYPES, toRowMajor } from './npy.ts';
import { LazyTensor, OddTensor, wholeNumber } from './pickle-values.ts';
import type { Buildable } from './pickle-values.ts';
import { isCounts } from './torch-tensor.ts';

/** `numpy.dtype('f8')`; byte order comes with BUILD. */
export class NumpyDtype implements Buildable {
  bigEndian = false;

  constructor(readonly code: string) {}

  build(state: unknown): void {
    if (!Array.isArray(state) || state.length < 2) throw damaged('numpy.dtype');
    this.bigEndian = state[1] === '>';
  }
}

/** Its content comes with BUILD; until then, and for arrays of objects, there is no tensor. */
export class NumpyArray implements Buildable {
  tensor: LazyTensor | OddTensor | null = null;
  /** An array of Python objects, flat. */
  objects: readonly unknown[] | null = null;

  build(state: unknown): void {
    if (!Array.isArray(state) || state.length < 4) throw damaged('numpy.ndarray');
    // (version, shape, dtype, is Fortran, data); the oldest have no version.
    const [shape, dtype, fortran, data] = state.slice(-4) as unknown[];
    this.fill(shape, dtype, fortran === true, data);
  }

  /** `data`: bytes in the order of `fortran`, or a list of objects. */
  fill(shape: unknown, dtype: unknown, fortran: boolean, data: unknown): void {
    if (!isCounts(shape) || !(dtype instanceof NumpyDtype)) throw damaged('numpy.ndarray');
    if (Array.isArray(data)) {
      this.objects = data;
      return;
    }
    if (!Object.hasOwn(NPY_DTYPES, dtype.code)) {
      this.tensor = new OddTensor(dtype.code, shape);
      return;
    }
    const known = NPY_DTYPES[dtype.code];
    const bytes = bytesOf(data, 'numpy.ndarray');
    if (sizeOf(shape) * BYTES_PER_ELEMENT[known] !== bytes.length) throw damaged('numpy.ndarray');
    this.tensor = new LazyTensor(known, shape, () => {
      const elements = elementsOf(known, bytes, dtype.bigEndian);
      return {
        dtype: known,
        shape,
        data: fortran && shape.length > 1 ? toRowMajor(elements, shape) : elements,
      };
    });
  }
}

/** `numpy.core.multiarray.scalar(dtype, bytes)`: a number, boolean or text. */
export function numpyScalar([dtype, content]: readonly unknown[]): unknown {
  if (!(dtype instanceof NumpyDtype)) throw damaged('numpy scalar');
  if (dtype.code.startsWith('O')) return content;
  const bytes = bytesOf(content, 'numpy scalar');
  if (dtype.code.startsWith('U')) return textOf(bytes, dtype.bigEndian);
  if (dtype.code.startsWith('S')) return new TextDecoder().decode(bytes);
  if (!Object.hasOwn(NPY_DTYPES, dtype.code)) return `numpy ${dtype.code}`;
  const known = NPY_DTYPES[dtype.code];
  if (bytes.length !== BYTES_PER_ELEMENT[known]) throw damaged('numpy scalar');
  const data = elementsOf(known, bytes, dtype.bigEndian);
  if (known === 'bool') return data[0] !== 0;
  if (known === 'float16') return toFloat32({ dtype: known, shape: [], data })[0];
  return typeof data[0] === 'bigint' ? wholeNumber(data[0]) : data[0];
}

function elementsOf(dtype: Dtype, bytes: Uint8Array, bigEndian: boolean) {
  const width = BYTES_PER_ELEMENT[dtype];
  return arrayOfBytes(dtype, bigEndian && width > 1 ? swapBytes(bytes, width) : bytes);
}

/** Python 2 wrote the data as a string, which is text here where it is ASCII. */
function bytesOf(data: unknown, noun: string): Uint8Array {
  if (data instanceof Uint8Array) return data;
  if (typeof data === 'string') return Uint8Array.from(data, (letter) => letter.charCodeAt(0));
  throw damaged(noun);
}

/** UTF-32, padded with zeros. */
function textOf(bytes: Uint8Array, bigEndian: boolean): string {
  if (bytes.length % 4 !== 0) throw damaged('numpy scalar');
  const points = elementsOf('uint32', bytes, bigEndian) as Uint32Array;
  if (points.some((point) => point > 0x10ffff)) throw damaged('numpy scalar');
  return [...points]
    .map((point) => String.fromCodePoint(point))
    .join('')
    .replace(/\0+$/, '');
}

function damaged(noun: string): Error {
  return invalid('pickle', noun, 'its content does not fit its type; the file is damaged');
}
