import { expect, test } from 'vitest';
import { fileUrl, readAddress, repositoryPage } from './address.ts';

const repository = (id: string, revision = 'main', folder = '') => ({
  kind: 'repository',
  repository: { id, revision },
  folder,
});

test('a repository is known by owner/name, by its page, and by its page copied carelessly', () => {
  for (const typed of [
    'knightnemo/nanowm-l2-csgo-100k',
    '  knightnemo/nanowm-l2-csgo-100k/ ',
    '<https://huggingface.co/knightnemo/nanowm-l2-csgo-100k>',
    'https://huggingface.co/knightnemo/nanowm-l2-csgo-100k/tree/main',
    'https://huggingface.co/knightnemo/nanowm-l2-csgo-100k/discussions/3',
    'https://huggingface.co/api/models/knightnemo/nanowm-l2-csgo-100k',
    'huggingface.co/knightnemo/nanowm-l2-csgo-100k',
    'hf.co/knightnemo/nanowm-l2-csgo-100k?library=true#files',
  ])
    expect(readAddress(typed), typed).toEqual(repository('knightnemo/nanowm-l2-csgo-100k'));
});

test('names of repositories may have dots and underscores', () => {
  expect(readAddress('a_b/sd-vae.v1.5')).toEqual(repository('a_b/sd-vae.v1.5'));
});

test('a branch and a folder of a repository are kept', () => {
  expect(readAddress('https://huggingface.co/o/n/tree/v1.0/vae/fp16')).toEqual(
    repository('o/n', 'v1.0', 'vae/fp16'),
  );
  expect(readAddress('https://huggingface.co/o/n/tree/refs%2Fpr%2F1')).toEqual(
    repository('o/n', 'refs/pr/1'),
  );
});

test("a file's page, its raw pointer and its download are all the file itself", () => {
  const wanted = {
    kind: 'file',
    url: 'https://huggingface.co/o/n/resolve/main/a/model%20b.safetensors',
    name: 'model b.safetensors',
    repository: { id: 'o/n', revision: 'main', path: 'a/model b.safetensors' },
  };
  for (const verb of ['blob', 'raw', 'resolve'])
    expect(
      readAddress(`https://huggingface.co/o/n/${verb}/main/a/model%20b.safetensors?download=true`),
    ).toEqual(wanted);
});

test("a mirror is asked in the hub's place, and its own addresses are repositories too", () => {
  const mirror = 'http://127.0.0.1:8123';
  expect(readAddress('https://huggingface.co/o/n/blob/main/m.pt', mirror)).toMatchObject({
    url: 'http://127.0.0.1:8123/o/n/resolve/main/m.pt',
  });
  expect(readAddress('http://127.0.0.1:8123/o/n', mirror)).toEqual(repository('o/n'));
  expect(readAddress('http://127.0.0.1:8123/model.ckpt', mirror)).toMatchObject({
    kind: 'file',
    repository: null,
  });
  expect(fileUrl({ id: 'o/n', revision: 'refs/pr/1' }, 'a b/c.pt', mirror)).toBe(
    'http://127.0.0.1:8123/o/n/resolve/refs%2Fpr%2F1/a%20b/c.pt',
  );
  expect(repositoryPage('o/n')).toBe('https://huggingface.co/o/n');
});

test('any other https address of a file passes, with its query and without its fragment', () => {
  for (const ending of [
    'safetensors',
    'pt',
    'pth',
    'ckpt',
    'bin',
    'zip',
    'onnx',
    'yaml',
    'yml',
    'json',
    'CKPT',
  ]) {
    const url = `https://lab.example/runs/7/last.${ending}?sig=a%2Fb`;
    expect(readAddress(`${url}#x`), ending).toEqual({
      kind: 'file',
      url,
      name: `last.${ending}`,
      repository: null,
    });
  }
  expect(readAddress('lab.example/last.ckpt')).toMatchObject({ url: 'https://lab.example/last.ckpt' });
});

test('a folder, or the manifest in it, is a bundle elsewhere', () => {
  for (const typed of [
    'https://lab.example/bundles/maze',
    'https://lab.example/bundles/maze/',
    'https://lab.example/bundles/maze/manifest.json?v=2',
  ])
    expect(readAddress(typed), typed).toEqual({ kind: 'bundle', url: 'https://lab.example/bundles/maze/' });
  expect(readAddress('https://huggingface.co/o/n/blob/main/maze/manifest.json')).toEqual({
    kind: 'bundle',
    url: 'https://huggingface.co/o/n/resolve/main/maze/',
  });
});

test('plain http is for this machine only', () => {
  expect(readAddress('http://localhost:8000/m.pt')).toMatchObject({ url: 'http://localhost:8000/m.pt' });
  expect(readAddress('localhost:8000/m.pt')).toMatchObject({ url: 'http://localhost:8000/m.pt' });
  expect(readAddress('localhost/m.pt')).toMatchObject({ url: 'http://localhost/m.pt' });
  expect(readAddress('http://127.0.0.1/maze/')).toEqual({ kind: 'bundle', url: 'http://127.0.0.1/maze/' });
  expect(() => readAddress('http://lab.example/m.pt')).toThrow(/^unsupported address: http.* use https$/);
  expect(() => readAddress('http://localhost.example/m.pt')).toThrow(/use https$/);
});

test('what cannot be fetched is refused with what can', () => {
  for (const typed of [
    '',
    '   ',
    'nanowm',
    'a/b/c',
    'https://',
    'owner/na me',
    '../weights',
    'ftp://lab.example/m.pt',
    'data:application/json,{}',
    'javascript:alert(1)',
    'blob:https://x/1',
  ])
    // prettier-ignore
    expect(() => readAddress(typed), typed).toThrow(/^(?:invalid|unsupported) address: .*owner\/name/);
  for (const typed of ['file:///home/me/m.pt', 'C:\\models\\m.pt'])
    expect(() => readAddress(typed), typed).toThrow(/lies on this machine: drop the file/);
  expect(() => readAddress('https://me:secret@lab.example/m.pt')).toThrow(
    /^unsupported address: lab\.example; /,
  );
  expect(() => readAddress('https://huggingface.co/datasets/o/n')).toThrow(/datasets hold no model/);
  expect(() => readAddress('https://huggingface.co/knightnemo')).toThrow(
    /^invalid repository: .*give owner\/name/,
  );
  expect(() => readAddress('https://huggingface.co/o/%zz')).toThrow(/^invalid address/);
  for (const typed of ['https://lab.example/m.gguf', 'https://huggingface.co/o/n/blob/main/README.md'])
    expect(() => readAddress(typed), typed).toThrow(/^unsupported file: .*\.safetensors, .*\.json$/);
});
