import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkFolder, writeWhole } from './files.ts';

function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), 'old');
  mkdirSync(join(folder, 'folder'));
  return folder;
}

test('a file is written whole, into folders that are made for it, over an older one', async () => {
  const folder = workspace();
  await writeWhole(join(folder, 'a', 'b', 'new'), 'text');
  await writeWhole(join(folder, 'file'), 'new');
  expect(readFileSync(join(folder, 'a', 'b', 'new'), 'utf8')).toBe('text');
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new');
  expect(readdirSync(folder).sort()).toEqual(['a', 'file', 'folder']);
});

test('an output that cannot be is one sentence, and nothing is left behind', async () => {
  const folder = workspace();
  const over = join(folder, 'folder');
  await expect(writeWhole(over, '')).rejects.toThrow(
    `invalid output: ${over}; it is a folder; give the path`,
  );
  const under = join(folder, 'file', 'x');
  await expect(writeWhole(under, '')).rejects.toThrow(
    `invalid output: ${under}; a part of its path is a file`,
  );
  const long = join(folder, 'x'.repeat(300));
  await expect(writeWhole(long, '')).rejects.toThrow(/; it cannot be written \(ENAMETOOLONG\); choose/);
  expect(readdirSync(folder).sort()).toEqual(['file', 'folder']);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('old');
});

test('two that write the same file at once both succeed, and one of them is there', async () => {
  const path = join(workspace(), 'both');
  await Promise.all([writeWhole(path, 'one'), writeWhole(path, 'two')]);
  expect(['one', 'two']).toContain(readFileSync(path, 'utf8'));
});

test.skipIf(!existsSync('/proc/self'))(
  'a place where no folder can be made does not hang the command',
  async () => {
    await expect(writeWhole('/proc/nowhere/x', '')).rejects.toThrow(/^invalid output: \/proc\/nowhere\/x; /);
  },
);

test('a folder that cannot be is said before the work, and checking makes nothing', async () => {
  const folder = workspace();
  await checkFolder(join(folder, 'a', 'b'));
  await expect(checkFolder(join(folder, 'file', 'x'))).rejects.toThrow(
    /^invalid output: .*; a part of its path/,
  );
  expect(readdirSync(folder).sort()).toEqual(['file', 'folder']);
});
