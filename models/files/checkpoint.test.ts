import { describe, expect, it } from 'vitest';
import { toFloat32 } from '../array/convert.ts';
import { oddBytes, oddFile } from '../testing/checkpoints.ts';
import { readReference, readReferenceText, referencePath } from '../testing/reference.ts';
import { openCheckpoint } from './checkpoint.ts';
import type { Checkpoint } from './checkpoint.ts';
import { lookAt } from './format.ts';
import { sourceOfBytes } from './source.ts';
import { parseYaml } from './yaml.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const open = (content: Uint8Array, part?: string) => openCheckpoint(sourceOfBytes(content, 'w.pt'), { part });

const folder = 'checkpoints';
describe.skipIf(referencePath(folder) === null)('the reference checkpoints', () => {
  const reference = (name: string): Checkpoint =>
    openCheckpoint(sourceOfBytes(readReference(`${folder}/${name}`)!, name));
  /** Names without what trainers put in front, without the VAE beside them. */
  const bare = ({ weights }: Checkpoint) =>
    new Map(
      weights.names
        .map((name) => [name.replace(/^(model\.|module\.|_orig_mod\.)+/, ''), name] as const)
        .filter(([name]) => !name.startsWith('vae.')),
    );

  it('are recognised, with what is in them', () => {
    const found = ['compiled.safetensors', 'stream.pth', 'lightning.ckpt', 'half.pt', 'bfloat16.pt'].map(
      (name) => {
        const { format, where, others } = reference(name);
        return [name, format, where, others.length > 0];
      },
    );
    expect(found).toEqual([
      ['compiled.safetensors', 'safetensors', 'bare', false],
      ['stream.pth', 'torch-stream', 'bare', false],
      ['lightning.ckpt', 'torch-zip', 'state_dict', true],
      ['half.pt', 'torch-zip', 'model', false],
      ['bfloat16.pt', 'torch-zip', 'bare', false],
    ]);
    expect(reference('lightning.ckpt').others).toContain('optimizer_states');
  });

  it.each([
    ['stream.pth', 0],
    ['lightning.ckpt', 0],
    ['half.pt', 2 ** -11],
    ['bfloat16.pt', 2 ** -8],
  ])('hold the numbers of compiled.safetensors, up to the rounding of their dtype: %s', (name, relative) => {
    const truth = reference('compiled.safetensors');
    const other = reference(name);
    const [expected, found] = [bare(truth), bare(other)];
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    let largest = 0;
    for (const [key, stored] of expected) {
      const a = truth.weights.get(stored);
      const b = other.weights.get(found.get(key)!);
      expect([key, b.shape]).toEqual([key, a.shape]);
      const [x, y] = [toFloat32(a), toFloat32(b)];
      for (let i = 0; i < x.length; i++) {
        // Half precision has fewer digits below 2^-14.
        const scale = Math.max(Math.abs(x[i]), 2 ** -14);
        largest = Math.max(largest, Math.abs(x[i] - y[i]) / scale);
      }
    }
    expect(largest).toBeLessThanOrEqual(relative);
    expect(largest > 0).toBe(relative > 0);
  });

  it('hold the hyperparameters of omegaconf and argparse as plain data', () => {
    const config = parseYaml(readReferenceText(`${folder}/config.yaml`)!) as {
      model: { arch: string; num_frames: number };
    };
    expect(reference('lightning.ckpt').hyperparameters).toMatchObject({
      args: { model: { arch: config.model.arch, num_frames: config.model.num_frames } },
    });
    expect(reference('half.pt').hyperparameters).toBeTypeOf('object');
    expect(reference('stream.pth').hyperparameters).toBe(null);
  });
});

describe('the place of the weights', () => {
  it('is state_dict, then model; ema only when it is asked for', () => {
    const zip = openCheckpoint(oddFile('odd.pt'));
    expect([zip.where, zip.weights.has('turned')]).toEqual(['state_dict', true]);
    expect(zip.others).toEqual(['state_dict.complex', 'optimizer_states', 'dtype', 'device', 'size']);
    const stream = openCheckpoint(oddFile('odd-stream.pth'));
    expect([stream.where, stream.others]).toEqual(['model', ['ema']]);
    expect(stream.hyperparameters).toEqual({ lr: 1e-4 });
    const ema = openCheckpoint(oddFile('odd-stream.pth'), { part: 'ema' });
    expect([ema.where, ema.weights.names, ema.others]).toEqual(['ema', ['turned'], ['model']]);
    expect(() => openCheckpoint(oddFile('odd-stream.pth'), { part: 'net' })).toThrow(
      "missing part: 'net' of odd-stream.pth; it has model, ema",
    );
  });

  it('is found in pickles of NumPy arrays, in dicts of dicts under names with dots', () => {
    const flat = openCheckpoint(oddFile('arrays-2.pkl'));
    expect([flat.format, flat.where, flat.weights.names]).toEqual([
      'pickle',
      'bare',
      ['rows', 'columns', 'big', 'none'],
    ]);
    const inner = new TextDecoder('latin1').decode(oddBytes('arrays-2.pkl')).slice(2, -1);
    const deep = open(bytes(`\x80\x02}U\x01a}U\x01b}U\x01c${inner}sss.`));
    expect(deep.weights.names).toEqual(['rows', 'columns', 'big', 'none'].map((name) => `a.b.c.${name}`));
    const two = bytes(`\x80\x02}U\x03net${inner}sU\x03old${inner}s.`);
    expect(() => open(two)).toThrow('unknown part: of w.pt to take; it has net, old; name one of them');
    expect(open(two, 'old').others).toEqual(['net']);
    const optimizer = bytes(`\x80\x02}U\x03net${inner}sU\x09optimizer${inner}s.`);
    expect(open(optimizer).where).toBe('net');
  });

  it('is missed in a sentence where there are none', () => {
    expect(() => openCheckpoint(oddFile('one-tensor.pt'))).toThrow('it holds one tensor without a name');
    expect(() => openCheckpoint(oddFile('plain-2.pkl'))).toThrow('missing weights: plain-2.pkl; it holds no');
    expect(() => open(bytes('\x80\x02}p0\nU\x01ah\x00s.'))).toThrow('missing weights');
  });
});

describe('files that are no weights', () => {
  it.each([
    ['empty', ''],
    ['zeros', '\0'.repeat(5000)],
    ['html', '\n<!DOCTYPE html><html lang="en">'],
    ['html', '<html><body>404'],
    ['xml', '<?xml version="1.0"?><Error><Code>AccessDenied</Code>'],
    ['lfs', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n'],
    ['hdf5', '\x89HDF\r\n\x1a\n...'],
    ['gguf', 'GGUF\x03\0\0\0'],
    ['onnx', '\x08\x0a\x12\x07pytorch'],
    ['tar', `${'storages\0'.padEnd(257, '\0')}ustar`],
    ['gzip', '\x1f\x8b\x08'],
    ['json', '{"error": "Repository not found"}'],
    ['unknown', 'Not Found'],
  ])('are told by their first bytes: %s', (kind, text) => {
    expect(lookAt(sourceOfBytes(bytes(text), 'w.pt'))).toBe(kind);
    expect(() => open(bytes(text))).toThrow(/^invalid checkpoint: w\.pt; it(s first bytes)? \w.*; \w/);
  });

  it('of other kinds are named', () => {
    expect(() => open(bytes('\x93NUMPY'))).toThrow(
      'unsupported checkpoint: npy file w.pt; give .safetensors',
    );
    expect(() => open(bytes('<html>'))).toThrow('it is a web page; the link was probably to the page');
  });
});
