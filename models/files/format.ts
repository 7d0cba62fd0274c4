/** What kind of file it is, by its first bytes, and what to say of those that hold no weights. */
import { invalid, unsupported } from '../errors.ts';
import type { ByteSource } from './source.ts';
import { openZip } from './zip.ts';

export type FileKind =
  'safetensors' | 'torch-zip' | 'torch-stream' | 'pickle' | 'npz' | 'npy' | 'zip' | keyof typeof REFUSALS;

/** Kinds that are no weights: what the file is, and what to do. */
const REFUSALS = {
  empty: ['it is empty', 'the download may have failed, fetch it again'],
  zeros: ['it begins with nothing but zeros', 'the download may have stopped in the middle, fetch it again'],
  html: ['it is a web page', 'the link was probably to the page about the file, not to the file itself'],
  xml: ['it is a message of a server', 'open it in an editor: it says why the file was not sent'],
  lfs: ['it is a pointer of Git LFS', 'run git lfs pull, or download the file itself'],
  hdf5: ['it is an HDF5 file', 'give .safetensors, .ckpt, .pt, .pth or .bin'],
  gguf: ['it is a GGUF file', 'give the .safetensors that it was made from'],
  onnx: ['it is an ONNX graph', 'import it as one; as weights, give .safetensors, .ckpt, .pt, .pth or .bin'],
  tar: ['it is a tar archive, as PyTorch before 0.2 wrote', 'unpack it, or load and save it with PyTorch'],
  gzip: ['it is compressed', 'unpack it first'],
  json: ['it is JSON', 'give the file of the weights beside it'],
  unknown: ['its first bytes are of no kind that we read', 'give .safetensors, .ckpt, .pt, .pth or .bin'],
} as const;

/** `text` at the start; `\xHH` for bytes. */
const STARTS: readonly (readonly [string, FileKind])[] = [
  ['\x93NUMPY', 'npy'],
  ['\x89HDF\r\n\x1a\n', 'hdf5'],
  ['GGUF', 'gguf'],
  ['\x1f\x8b', 'gzip'],
  ['version https://git-lfs', 'lfs'],
  // The pickle of the magic number.
  ['\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19', 'torch-stream'],
];
/** Bytes looked at: a tar archive says its name at 257. */
const LEAD = 512;

/** @throws only where a zip archive's directory cannot be read. */
export function lookAt(source: ByteSource): FileKind {
  const lead = source.read(0, Math.min(LEAD, source.size));
  if (lead.length === 0) return 'empty';
  if (lead.every((byte) => byte === 0)) return 'zeros';
  const text = String.fromCharCode(...lead);
  const start = STARTS.find(([magic]) => text.startsWith(magic));
  if (start) return start[1];
  if (text.startsWith('PK')) return kindOfZip(source);
  if (isSafetensors(lead)) return 'safetensors';
  if (lead[0] === 0x80 && lead[1] <= 5) return 'pickle';
  if (text.slice(257, 262) === 'ustar') return 'tar';
  // A message of ModelProto: its version, then its producer or graph.
  if (lead[0] === 0x08 && lead[1] < 20 && [0x12, 0x1a, 0x3a, 0x42].includes(lead[2])) return 'onnx';
  return kindOfText(text);
}

/** The sentence for a file that holds no weights. */
export function notWeights(kind: FileKind, label: string): Error {
  if (kind in REFUSALS) {
    const [fault, remedy] = REFUSALS[kind as keyof typeof REFUSALS];
    return invalid('checkpoint', label, `${fault}; ${remedy}`);
  }
  return unsupported('checkpoint', `${kind} file ${label}`, 'give .safetensors, .ckpt, .pt, .pth or .bin');
}

function kindOfZip(source: ByteSource): FileKind {
  const names = openZip(source).map(({ name }) => name);
  if (names.some((name) => /^[^/]*\/?data\.pkl$/.test(name))) return 'torch-zip';
  return names.some((name) => name.endsWith('.npy')) ? 'npz' : 'zip';
}

/** A length, perhaps a wrong one, and a header that opens as JSON does. */
function isSafetensors(lead: Uint8Array): boolean {
  return lead.length > 8 && lead[8] === 0x7b && lead[6] === 0 && lead[7] === 0;
}

function kindOfText(text: string): FileKind {
  const word = text
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase();
  if (/^<(!doctype html|html|head|body|!--)/.test(word)) return 'html';
  if (word.startsWith('<')) return 'xml';
  return word.startsWith('{') ? 'json' : 'unknown';
}
