/**
 * Safetensors: an 8-byte header length, a JSON header, then the data of all tensors without gaps
 * (huggingface/safetensors, README, "Format"). The header is read first, a tensor when it is asked for.
 */
import { arrayOfBytes, BYTES_PER_ELEMENT, bytesOfArray } from '../array/bytes.ts';
import { sizeOf } from '../array/tensor.ts';
import type { Dtype, Tensor } from '../array/tensor.ts';
import { invalid, unsupported } from '../errors.ts';
import { sourceOfBytes } from './source.ts';
import type { ByteSource } from './source.ts';
import { repeatedKey } from './json.ts';
import { weightsFrom } from './weights.ts';
import type { WeightEntry, Weights } from './weights.ts';

const DTYPES: Readonly<Record<string, Dtype>> = {
  F64: 'float64',
  F32: 'float32',
  F16: 'float16',
  BF16: 'bfloat16',
  F8_E4M3: 'float8_e4m3fn',
  F8_E5M2: 'float8_e5m2',
  I64: 'int64',
  I32: 'int32',
  I16: 'int16',
  I8: 'int8',
  U64: 'uint64',
  U32: 'uint32',
  U16: 'uint16',
  U8: 'uint8',
  BOOL: 'bool',
};
/** The format's own limit of the header, in bytes (safetensors, MAX_HEADER_SIZE). */
const LARGEST_HEADER = 100_000_000;

/** The tensors in `bytes`, which stay views of them where they are aligned. */
export function readSafetensors(bytes: Uint8Array, label = 'safetensors file'): Weights {
  return openSafetensors(sourceOfBytes(bytes, label));
}

/**
 * The tensors of a safetensors file, each read when it is asked for. Offsets must cover the data once
 * and wholly, as the format demands. @throws one sentence for a damaged file.
 */
export function openSafetensors(source: ByteSource): Weights {
  const { label } = source;
  const { header, start } = readHeader(source);
  const entries = new Map<string, WeightEntry>();
  const spans: Span[] = [];
  for (const [name, value] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const span = readEntry(name, value, label);
    if (span.end > source.size - start) throw cutShort(label);
    spans.push(span);
    entries.set(name, { dtype: span.dtype, shape: span.shape, read: () => read(source, start, span) });
  }
  checkCover(spans, source.size - start, label);
  return weightsFrom(entries, label);
}

/** `tensors` as a safetensors file, in the order given, the data aligned to 8 bytes. */
export function writeSafetensors(
  tensors: Readonly<Record<string, Tensor>>,
  metadata?: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = metadata ? { __metadata__: metadata } : {};
  let length = 0;
  for (const [name, { dtype, shape, data }] of Object.entries(tensors)) {
    const code = Object.keys(DTYPES).find((key) => DTYPES[key] === dtype);
    header[name] = { dtype: code, shape, data_offsets: [length, length + data.byteLength] };
    length += data.byteLength;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = 8 + Math.ceil(json.length / 8) * 8;
  const out = new Uint8Array(start + length).fill(0x20, 8, start); // spaces pad the header
  new DataView(out.buffer).setBigUint64(0, BigInt(start - 8), true);
  out.set(json, 8);
  let at = start;
  for (const { data } of Object.values(tensors)) {
    out.set(bytesOfArray(data), at);
    at += data.byteLength;
  }
  return out;
}

interface Span {
  readonly name: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  /** Bytes from the start of the data. */
  readonly begin: number;
  readonly end: number;
}

function read(source: ByteSource, start: number, { dtype, shape, begin, end }: Span): Tensor {
  return { dtype, shape, data: arrayOfBytes(dtype, source.read(start + begin, end - begin)) };
}

function readHeader(source: ByteSource) {
  const { label, size } = source;
  if (size < 8) throw cutShort(label);
  const lead = source.read(0, 8);
  const length = Number(new DataView(lead.buffer, lead.byteOffset, 8).getBigUint64(0, true));
  if (length > LARGEST_HEADER) {
    throw invalid('safetensors file', label, 'its header length is absurd; is it another format?');
  }
  if (8 + length > size) throw cutShort(label);
  const text = new TextDecoder().decode(source.read(8, length));
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw invalid('safetensors file', label, 'its header is not JSON; the file may be damaged');
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) {
    throw invalid('safetensors file', label, 'its header is not an object of tensors');
  }
  const twin = repeatedKey(text);
  if (twin !== null) {
    throw invalid('tensor', `'${twin}' in ${label}`, 'its header names it twice; the file may be damaged');
  }
  return { header: header as Record<string, unknown>, start: 8 + length };
}

function readEntry(name: string, value: unknown, label: string): Span {
  const { dtype: code, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string' || !isCounts(shape) || !isCounts(offsets) || offsets.length !== 2) {
    throw invalid('tensor', `'${name}' in ${label}`, 'its header needs dtype, shape, data_offsets');
  }
  if (!Object.hasOwn(DTYPES, code)) {
    throw unsupported('dtype', `${code} in '${name}'`, 'save it as F32, F16 or BF16');
  }
  const dtype = DTYPES[code];
  const [begin, end] = offsets;
  if (end - begin !== sizeOf(shape) * BYTES_PER_ELEMENT[dtype]) {
    const claim = `'${name}' of shape [${shape.join(', ')}] in ${label}`;
    throw invalid('tensor', claim, `its ${end - begin} bytes do not fit; the file may be damaged`);
  }
  return { name, dtype, shape, begin, end };
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}

function checkCover(spans: Span[], length: number, label: string): void {
  let at = 0;
  for (const span of spans.sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (span.begin !== at) {
      const fault = span.begin < at ? 'overlaps another tensor' : 'leaves a gap before it';
      throw invalid('tensor', `'${span.name}' in ${label}`, `it ${fault}; the file may be damaged`);
    }
    at = span.end;
  }
  if (at !== length) {
    const remedy = `${length - at} bytes follow its last tensor; the file may be damaged`;
    throw invalid('safetensors file', label, remedy);
  }
}

function cutShort(label: string): Error {
  return invalid('safetensors file', label, 'it ends too early; the download may be cut short');
}
