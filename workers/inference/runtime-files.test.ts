import { expect, test } from 'vitest';
import { isRuntimeFault, runtimeFault } from './runtime-files.ts';

const FILES = {
  mjs: 'https://example.org/assets/ort-wasm.mjs',
  wasm: 'https://example.org/assets/ort-wasm.wasm',
};
const GLUE = 'async function ortWasmThreaded(){}';
const BINARY = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const REASON = 'no available backend found. ERR: [wasm] TypeError: Failed to fetch';

const told = async (answers: { mjs?: Response | null; wasm?: Response | null }, reason = REASON) => {
  const { mjs = new Response(GLUE), wasm = new Response(BINARY) } = answers;
  const error = await runtimeFault(FILES, reason, (url) => {
    const response = url === FILES.mjs ? mjs : wasm;
    return response ? Promise.resolve(response) : Promise.reject(new TypeError('Failed to fetch'));
  });
  return error.message;
};

const CHECK = 'check the connection, or that the folder at the host is complete, and try again';
const PAGE = '\n<!doctype html><p>Sign in</p>';
const OTHER = 'the host sent something else in its place; check that the folder is complete';

test('a file of the runtime that does not come is named, with what the host answered', async () => {
  expect(await told({ wasm: new Response('not here', { status: 404 }) })).toBe(
    `missing runtime file: ${FILES.wasm} (HTTP 404); ${CHECK}`,
  );
  expect(await told({ mjs: null })).toBe(`missing runtime file: ${FILES.mjs}; ${CHECK}`);
});

test('a page in its place is told by its first bytes, whatever the host calls it', async () => {
  expect(await told({ mjs: new Response(PAGE) })).toBe(`invalid runtime file: ${FILES.mjs}; ${OTHER}`);
  expect(await told({ wasm: new Response(PAGE) })).toBe(`invalid runtime file: ${FILES.wasm}; ${OTHER}`);
  expect(await told({ wasm: new Response('') })).toBe(`invalid runtime file: ${FILES.wasm}; ${OTHER}`);
});

test('a binary that does not compile is damaged; anything else is not blamed on a file', async () => {
  const reason = 'no available backend found. ERR: [wasm] RuntimeError: Aborted(CompileError: at offset 77)';
  expect(await told({}, reason)).toBe(
    `invalid runtime file: ${FILES.wasm}; it is damaged; put the folder on the host again`,
  );
  expect(await told({}, 'no available backend found. ERR: [webgpu] lost')).toMatch(
    /^unsupported runtime onnxruntime-web: no available backend found.*; load the page again, or try the other backend$/,
  );
});

test('what a graph is to blame for is not taken for a fault of the runtime', () => {
  expect(isRuntimeFault(REASON)).toBe(true);
  expect(isRuntimeFault("previous call to 'initWasm()' failed.")).toBe(true);
  expect(isRuntimeFault('failed to load model because protobuf parsing failed')).toBe(false);
});
