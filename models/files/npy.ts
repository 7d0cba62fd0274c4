/** NumPy's array files, format versions 1 to 3 (numpy.lib.format); both byte orders, both memory orders. */
import { arrayOfBytes, BYTES_PER_ELEMENT, bytesOfArray, swapBytes } from '../array/bytes.ts';
import { sizeOf } from '../array/tensor.ts';
import type { ArrayByDtype, Dtype, Tensor } from '../array/tensor.ts';
import { invalid, unsupported } from '../errors.ts';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
/** NumPy's type codes, without the byte order. */
export const NPY_DTYPES: Readonly<Record<string, Dtype>> = {
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
  i1: 'int8',
  i2: 'int16',
  i4: 'int32',
  i8: 'int64',
  u1: 'uint8',
  u2: 'uint16',
  u4: 'uint32',
  u8: 'uint64',
  b1: 'bool',
};

/**
 * The array in `bytes`; `name` stands in the sentence of an error. Data of the usual order is a
 * view of `bytes` where it is aligned.
 */
export function readNpy(bytes: Uint8Array, name = 'array'): Tensor {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw invalid('npy file', name, 'it does not begin as NumPy files do; give an .npy file');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes[6] === 1 ? 10 : 12;
  if (bytes.length < start) throw cutShort(name);
  const end = start + (bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (end > bytes.length) throw cutShort(name);
  const { descr, fortran, shape } = readHeader(bytes.subarray(start, end), name);
  const dtype = dtypeOf(descr, name);
  const width = BYTES_PER_ELEMENT[dtype];
  const length = sizeOf(shape) * width;
  if (!(end + length <= bytes.length)) throw cutShort(name);
  const raw = bytes.subarray(end, end + length);
  const data = arrayOfBytes(dtype, descr[0] === '>' && width > 1 ? swapBytes(raw, width) : raw);
  return { dtype, shape, data: fortran && shape.length > 1 ? toRowMajor(data, shape) : data };
}

/** `tensor` as an .npy file of version 1. bfloat16, which NumPy does not know, is refused. */
export function writeNpy(tensor: Tensor, name = 'array'): Uint8Array<ArrayBuffer> {
  const code = Object.keys(NPY_DTYPES).find((key) => NPY_DTYPES[key] === tensor.dtype);
  if (code === undefined) {
    throw unsupported('dtype', `${tensor.dtype} in '${name}'`, 'NumPy has none; write float32');
  }
  const size = tensor.shape.length === 1 ? `${tensor.shape[0]},` : tensor.shape.join(', ');
  const descr = `${BYTES_PER_ELEMENT[tensor.dtype] === 1 ? '|' : '<'}${code}`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${size}), }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64; // data aligned to 64 bytes
  const data = bytesOfArray(tensor.data);
  const out = new Uint8Array(length + data.length);
  out.set([...MAGIC, 1, 0]);
  new DataView(out.buffer).setUint16(8, length - 10, true);
  out.set(new TextEncoder().encode(text.padEnd(length - 11) + '\n'), 10);
  out.set(data, length);
  return out;
}

interface Header {
  readonly descr: string;
  readonly fortran: boolean;
  readonly shape: number[];
}

function readHeader(bytes: Uint8Array, name: string): Header {
  const text = new TextDecoder().decode(bytes);
  if (/'descr'\s*:\s*\[/.test(text)) {
    throw unsupported('dtype', `records in '${name}'`, 'save plain numbers');
  }
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(text)?.[1];
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const shape = /'shape'\s*:\s*\(([\d\s,L]*)\)/.exec(text)?.[1];
  if (descr === undefined || fortran === undefined || shape === undefined) {
    throw invalid('npy header', `${text.trim()} in '${name}'`, 'the file may be damaged');
  }
  const sides = (shape.match(/\d+/g) ?? []).map(Number);
  return { descr, fortran: fortran === 'True', shape: sides };
}

function dtypeOf(descr: string, name: string): Dtype {
  const code = descr.replace(/^[<>|=]/, '');
  if (Object.hasOwn(NPY_DTYPES, code)) return NPY_DTYPES[code];
  const kind = descr.includes('O') ? 'object' : descr;
  throw unsupported('dtype', `${kind} in '${name}'`, 'save it as floats, integers or booleans');
}

/** Elements stored first index fastest, put in the order last index fastest. */
export function toRowMajor(source: ArrayByDtype[Dtype], shape: readonly number[]): ArrayByDtype[Dtype] {
  const out = source.slice();
  const strides = shape.map((_, axis) => sizeOf(shape.slice(0, axis)));
  const index = shape.map(() => 0);
  for (let to = 0, from = 0; to < out.length; to++) {
    out[to] = source[from] as never;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

function cutShort(name: string): Error {
  return invalid('npy file', name, 'it ends too early; the download may be cut short');
}
