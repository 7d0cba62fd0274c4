import { expect, test } from 'vitest';
import { notWeights, pageByType } from './sniff.ts';

const told = (text: string) => notWeights('model.safetensors', new TextEncoder().encode(text))?.message;

test('a web page is told by its first bytes, however it begins', () => {
  for (const page of [
    '<!DOCTYPE html><html>',
    '\ufeff  \n<html lang="en">',
    '<?xml version="1.0"?>\n<!doctype html>',
    '<!-- cached -->\n<HTML>',
  ])
    expect(told(page), page).toMatch(/^invalid model file: model\.safetensors; the server sent a web page/);
});

test('a git-lfs pointer is told, with where the file itself is', () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 2230000000\n`;
  expect(told(pointer)).toMatch(/note of where the file lies.*resolve/);
});

test('what models come in passes: safetensors, zip, pickle, yaml, json, and nothing at all', () => {
  for (const good of ['{"a":{}}', 'PK\u0003\u0004', '\u0080\u0002}q', 'model:\n  arch: NanoWM-B/2\n', ''])
    expect(told(good), good).toBeUndefined();
  const header = new Uint8Array(512).fill(0xff);
  expect(notWeights('model.safetensors', header)).toBeNull();
});

test('a content type of a web page is enough, with and without its charset', () => {
  expect(pageByType('m.pt', 'text/html; charset=utf-8')?.message).toContain('web page');
  expect(pageByType('m.pt', 'application/octet-stream')).toBeNull();
  expect(pageByType('m.pt', null)).toBeNull();
});
