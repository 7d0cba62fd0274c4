import { mkdtempSync, rmSync, truncateSync, writeFileSync, openSync, writeSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openCheckpoint } from '../../models/files/checkpoint.ts';
import { writeSafetensors } from '../../models/files/safetensors.ts';
import { oddFile } from '../../models/testing/checkpoints.ts';
import { wideZip } from '../../models/testing/zip.ts';
import { openZip } from '../../models/files/zip.ts';
import { openFile } from './file-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'file-source-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A file of holes with bytes at some places: no disk is used for the rest. */
function sparse(name: string, size: number, pieces: readonly (readonly [number, Uint8Array])[]): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  for (const [at, bytes] of pieces) writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
  truncateSync(path, size);
  return path;
}

it('opens safetensors of 4 GB and reads their last weight, with next to no memory', () => {
  const count = 2 ** 30;
  const json = JSON.stringify({
    large: { dtype: 'F32', shape: [count - 1], data_offsets: [0, 4 * count - 4] },
    last: { dtype: 'F32', shape: [1], data_offsets: [4 * count - 4, 4 * count] },
  });
  const head = new Uint8Array(8 + json.length);
  new DataView(head.buffer).setUint32(0, json.length, true);
  head.set(new TextEncoder().encode(json), 8);
  const size = head.length + 4 * count;
  const value = new Uint8Array(Float32Array.of(2.5).buffer);
  const file = openFile(
    sparse('large.safetensors', size, [
      [0, head],
      [size - 4, value],
    ]),
  );
  const before = process.memoryUsage().arrayBuffers;
  const { weights } = openCheckpoint(file);
  expect(weights.get('last').data).toEqual(Float32Array.of(2.5));
  expect(weights.shape('large')).toEqual([count - 1]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
  file.close();
});

it('opens a zip of torch.save behind 3 GB', () => {
  const shift = 3e9;
  const entries = openZip(oddFile('odd.pt')).map((entry) => ({ name: entry.name, data: entry.read() }));
  const end = wideZip(entries, shift);
  const lead = new TextEncoder().encode('PK');
  const file = openFile(
    sparse('large.ckpt', shift + end.length, [
      [0, lead],
      [shift, end],
    ]),
  );
  const { weights, format } = openCheckpoint(file);
  expect([format, weights.get('scalar').data[0]]).toEqual(['torch-zip', -7]);
  file.close();
});

it('says in a sentence that there is no file, that it is a folder, and that it became shorter', () => {
  expect(() => openFile(join(folder, 'none'))).toThrow(/^missing file: .*none; give the path/);
  expect(() => openFile(folder)).toThrow(/it is no plain file; give one$/);
  const path = join(folder, 'cut.safetensors');
  writeFileSync(path, writeSafetensors({ a: { dtype: 'uint8', shape: [4], data: new Uint8Array(4) } }));
  const file = openFile(path);
  const { weights } = openCheckpoint(file);
  truncateSync(path, file.size - 2);
  expect(() => weights.get('a')).toThrow('it became shorter while it was read; try again');
  file.close();
  expect(() => file.read(0, 1)).toThrow('it cannot be read (EBADF)');
});
