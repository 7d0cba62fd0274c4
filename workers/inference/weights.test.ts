import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoadProgress } from '../protocol.ts';
import { memoryShelf } from '../testing/shelf.ts';
import { downloadJson } from './download.ts';
import { sha256 } from './sha256.ts';
import { createStore } from './store.ts';
import type { Shelf, StoredFile } from './store.ts';
import { loadWeights } from './weights.ts';

const small = Uint8Array.from({ length: 1000 }, (_, i) => i & 255);
const large = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31) & 255);

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const answers = new Map<string, Answer>();
const asked: string[] = [];
let server: Server;
let base: string;

// A real server over a real socket: what a browser's fetch meets is what is tested.
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url!);
    const answer = answers.get(request.url!);
    if (answer) answer(response, request);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const bytes =
  (body: Uint8Array, type = 'application/octet-stream'): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

async function file(path: string, body: Uint8Array): Promise<StoredFile> {
  return { url: `${base}${path}`, sha256: await sha256(body), bytes: body.length };
}

function load(files: readonly StoredFile[], shelf: Shelf = memoryShelf(), events: LoadProgress[] = []) {
  asked.length = 0;
  let clock = 0;
  const sources = { fetch, store: createStore(() => Promise.resolve(shelf)), now: () => (clock += 100) };
  return loadWeights(files, sources, (progress) => events.push(progress));
}

test('weights are fetched once, checked, kept, and next time come from the store', async () => {
  answers.set('/a.onnx', bytes(small));
  answers.set('/b.onnx', bytes(large));
  const files = [await file('/a.onnx', small), await file('/b.onnx', large)];
  const shelf = memoryShelf();
  const first = await load(files, shelf);
  expect(first.stored).toBe(false);
  expect(first.notes).toEqual([]);
  expect(Buffer.compare(first.files.get(files[1]!.url)!, large)).toBe(0);
  expect(asked).toEqual(['/a.onnx', '/b.onnx']);
  const second = await load(files, shelf);
  expect(second.stored).toBe(true);
  expect(Buffer.compare(second.files.get(files[1]!.url)!, large)).toBe(0);
  expect(asked).toEqual([]);
});

test('progress counts bytes over the whole bundle, never goes back, and ends at its size', async () => {
  answers.set('/a.onnx', bytes(small));
  answers.set('/b.onnx', bytes(large));
  const events: LoadProgress[] = [];
  await load([await file('/a.onnx', small), await file('/b.onnx', large)], undefined, events);
  const counts = events.map(({ loadedBytes }) => loadedBytes);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(counts.at(-1)).toBe(301_000);
  expect(new Set(events.map(({ totalBytes }) => totalBytes))).toEqual(new Set([301_000]));
  expect(events.filter(({ stage }) => stage === 'verify').map((event) => event.file)).toEqual([
    'a.onnx',
    'b.onnx',
  ]);
  expect(events.at(-1)!.secondsLeft).toBe(0);
});

test('a stored file that has gone wrong is fetched again and mended', async () => {
  answers.set('/a.onnx', bytes(small));
  const files = [await file('/a.onnx', small)];
  const shelf = memoryShelf();
  await load(files, shelf);
  const [key] = [...shelf.entries.keys()];
  shelf.entries.set(key!, new Response('<!doctype html>'));
  expect((await load(files, shelf)).stored).toBe(false);
  expect(asked).toEqual(['/a.onnx']);
  expect((await load(files, shelf)).stored).toBe(true);
});

test('an altered file is refused with its name and is not kept', async () => {
  const altered = small.slice();
  altered[500] = 7;
  answers.set('/a.onnx', bytes(altered));
  const shelf = memoryShelf();
  await expect(load([await file('/a.onnx', small)], shelf)).rejects.toThrow(
    /^invalid weights: a\.onnx; its SHA-256 is \w+\.\.\., its manifest says \w+\.\.\.; the file was altered/,
  );
  expect(shelf.entries.size).toBe(0);
});

test('a file cut short, and one too long, say how many bytes were expected', async () => {
  const stated = [await file('/a.onnx', small)];
  answers.set('/a.onnx', bytes(small.subarray(0, 400)));
  await expect(load(stated)).rejects.toThrow('a.onnx; cut short at 400 of 1000 bytes');
  answers.set('/a.onnx', bytes(large));
  await expect(load(stated)).rejects.toThrow('a.onnx; more than the 1000 bytes of its manifest');
  answers.set('/a.onnx', bytes(new Uint8Array(0)));
  await expect(load(stated)).rejects.toThrow('cut short at 0 of 1000 bytes');
});

test('a connection that breaks in the middle says where', async () => {
  answers.set('/b.onnx', (response) => {
    response.writeHead(200, { 'content-length': String(large.length) });
    response.write(large.subarray(0, 1000), () => response.destroy());
  });
  await expect(load([await file('/b.onnx', large)])).rejects.toThrow(
    /^missing file: b\.onnx from byte \d+ of 300000 on; check the connection/,
  );
});

test('a web page in place of a model is one sentence', async () => {
  answers.set('/a.onnx', bytes(new TextEncoder().encode('<!doctype html>'), 'text/html; charset=utf-8'));
  await expect(load([await file('/a.onnx', small)])).rejects.toThrow(
    /^invalid model file: .*\/a\.onnx; the server sent a web page in its place/,
  );
});

test('a file that is not there, a server that fails and no server at all are three sentences', async () => {
  await expect(load([await file('/none.onnx', small)])).rejects.toThrow(
    /^missing file: .*none\.onnx; check the bundle's/,
  );
  answers.set('/a.onnx', (response) => response.writeHead(503).end());
  await expect(load([await file('/a.onnx', small)])).rejects.toThrow(
    /a\.onnx \(HTTP 503\); check the connection/,
  );
  const nowhere = { ...(await file('/a.onnx', small)), url: 'http://127.0.0.1:9/a.onnx' };
  await expect(load([nowhere])).rejects.toThrow(
    /^missing file: http:\/\/127\.0\.0\.1:9\/a\.onnx; check the connection/,
  );
});

test('a full disk leaves the weights in memory and one sentence, however many files it hits', async () => {
  answers.set('/a.onnx', bytes(small));
  answers.set('/b.onnx', bytes(large));
  const shelf = memoryShelf();
  shelf.put = () => Promise.reject(new DOMException('the quota has been exceeded', 'QuotaExceededError'));
  const weights = await load([await file('/a.onnx', small), await file('/b.onnx', large)], shelf);
  expect(weights.files.size).toBe(2);
  expect(weights.notes).toHaveLength(1);
});

test('a manifest that is not JSON, or a web page, is one sentence', async () => {
  answers.set('/manifest.json', bytes(new TextEncoder().encode('{"version": 1,'), 'application/json'));
  await expect(downloadJson(fetch, `${base}/manifest.json`)).rejects.toThrow(
    /^invalid manifest: .*it is not JSON/,
  );
  answers.set('/manifest.json', bytes(new TextEncoder().encode('<html>'), 'text/html'));
  await expect(downloadJson(fetch, `${base}/manifest.json`)).rejects.toThrow('a web page in its place');
});

test('a size that no memory holds is one sentence, and nothing is fetched', async () => {
  answers.set('/a.onnx', bytes(small));
  const absurd = { ...(await file('/a.onnx', small)), bytes: 2 ** 52 };
  await expect(load([absurd])).rejects.toThrow(
    /^unsupported size: 4503599627370496 bytes of a\.onnx; there is not enough memory/,
  );
  expect(asked).toEqual([]);
});
