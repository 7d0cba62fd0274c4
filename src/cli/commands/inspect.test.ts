import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tensor } from '../../../models/array/tensor.ts';
import { writeSafetensors } from '../../../models/files/safetensors.ts';
import { oddBytes } from '../../../models/testing/checkpoints.ts';
import { saveArrays } from '../testing/npz.ts';
import { json, output, workspace } from '../testing/run.ts';
import { command } from './inspect.ts';

const tensor: Tensor = { dtype: 'float32', shape: [1, 2], data: Float32Array.of(1, 2) };

/** A file of this name in a folder of its own. */
function saved(name: string, bytes: Uint8Array | string): string {
  const path = join(workspace(), name);
  writeFileSync(path, bytes);
  return path;
}

describe('inspect of weights', () => {
  test('says where they are, what is left out and what the run says of itself', async () => {
    const path = saved('run.ckpt', oddBytes('odd.pt'));
    const found = await json(command, [path]);
    expect(found).toMatchObject({
      kind: 'PyTorch weights',
      format: 'torch-zip',
      where: 'state_dict',
      others: ['state_dict.complex', 'optimizer_states', 'dtype', 'device', 'size'],
      hyperparameters: { model: { arch: 'NanoWM-B/2', sides: [1, 2.5, null, '${seed}'] } },
    });
    expect(found.tensors).toContainEqual({ name: 'turned', dtype: 'float32', shape: [6, 4] });
    const text = await output(command, [path]);
    expect(text).toContain('weights under state_dict');
    expect(text).toMatch(/^model\.arch +NanoWM-B\/2$/m);
    expect(text).toMatch(/^tiny +float8_e4m3fn +2$/m);
  });

  test('keeps its answer for safetensors, one file or a folder of shards', async () => {
    const path = saved('model.safetensors', writeSafetensors({ a: tensor }));
    const tensors = [{ name: 'a', dtype: 'float32', shape: [1, 2] }];
    const whole = await json(command, [path]);
    expect(whole).toMatchObject({ kind: 'safetensors weights', parameters: 2, tensors });
    const folder = workspace();
    const names = [1, 2].map((i) => `model-0000${String(i)}-of-00002.safetensors`);
    writeFileSync(join(folder, names[0]), writeSafetensors({ a: tensor }));
    await expect(json(command, [folder])).rejects.toThrow(`missing files: ${names[1]}; the checkpoint`);
    writeFileSync(join(folder, names[1]), writeSafetensors({ b: tensor }));
    const index = join(folder, 'model.safetensors.index.json');
    writeFileSync(index, JSON.stringify({ weight_map: { a: names[0], b: names[1] } }));
    for (const given of [folder, index]) {
      expect(await json(command, [given])).toMatchObject({ parameters: 4, where: 'bare' });
    }
  });

  test('says what a file is that holds none, and which of several to give', async () => {
    const page = saved('model.safetensors', '<!doctype html><html>');
    await expect(output(command, [page])).rejects.toThrow('it is a web page; the link was probably');
    const text = saved('notes.txt', 'hello');
    await expect(output(command, [text])).rejects.toThrow(`unsupported file: ${text}; inspect knows bundles`);
    const folder = workspace();
    for (const name of ['a.pt', 'b.pt']) writeFileSync(join(folder, name), oddBytes('odd.pt'));
    await expect(output(command, [folder])).rejects.toThrow(
      'it holds several (a.pt, b.pt, ...); give the file',
    );
    const evil = saved(
      'evil.pt',
      Uint8Array.from('\x80\x02cos\nsystem\n.', (c) => c.charCodeAt(0)),
    );
    await expect(output(command, [evil])).rejects.toThrow("unsupported pickle global: 'os.system' in");
  });
});

test('inspect lists the arrays of an archive, and tells a clip by them', async () => {
  const clip = saveArrays(join(workspace(), 'clip.npz'), { frames: tensor, actions: tensor });
  expect(await json(command, [clip])).toEqual({
    kind: 'clip',
    arrays: ['frames', 'actions'].map((name) => ({ name, dtype: 'float32', shape: [1, 2] })),
  });
});
