/** A static host over a real socket that knows ranges, and that a test can make fail in every way hosts fail. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  /** Without the leading slash, with its query. */
  readonly path: string;
  readonly range: string | null;
  /** 0 for the first request of all. */
  readonly index: number;
}

/** What differs from a good host, for one request; bytes of the body, milliseconds. */
export interface Fault {
  readonly status?: number;
  /** Null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** In place of the file's bytes, or of the part's. */
  readonly body?: Uint8Array | string;
  /** As if there was no Range in the request. */
  readonly whole?: boolean;
  /** Destroys the connection after so many bytes of the body. */
  readonly breakAfter?: number;
  /** Sends nothing more after so many bytes of the body, and keeps the connection. */
  readonly silentAfter?: number;
  /** Before the answer. */
  readonly delay?: number;
  /** Neither status nor headers: the connection is closed at once. */
  readonly refuse?: boolean;
}

export interface FaultyHost {
  /** With a slash at its end. */
  readonly url: string;
  readonly files: Map<string, Uint8Array>;
  readonly asked: Asked[];
  etag: string | null;
  fault: (asked: Asked) => Fault;
  /** Answers on their way at one time, at most. */
  most: number;
  close(): Promise<void>;
}

export async function faultyHost(): Promise<FaultyHost> {
  let open = 0;
  const server = createServer((request, response) => {
    const asked = {
      path: request.url!.slice(1),
      range: request.headers.range ?? null,
      index: host.asked.length,
    };
    host.asked.push(asked);
    host.most = Math.max(host.most, ++open);
    response.on('close', () => open--);
    void answer(host, asked, host.fault(asked), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host: FaultyHost = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    files: new Map(),
    asked: [],
    etag: '"1"',
    fault: () => ({}),
    most: 0,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return host;
}

async function answer(
  host: FaultyHost,
  { path, range }: Asked,
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (fault.refuse) return void request.socket.destroy();
  if (fault.delay) await new Promise((resolve) => setTimeout(resolve, fault.delay));
  const file = host.files.get(path.replace(/\?.*$/, ''));
  const headers: Record<string, string | null> = {
    'content-type': 'application/octet-stream',
    etag: host.etag,
  };
  let status = 200;
  let body = file ?? new Uint8Array(0);
  const part = /^bytes=(\d+)-(\d+)$/.exec(range ?? '');
  if (!file) status = 404;
  else if (part && !fault.whole) {
    const start = Number(part[1]);
    const end = Math.min(Number(part[2]) + 1, file.length);
    status = start < file.length ? 206 : 416;
    headers['content-range'] =
      status === 206
        ? `bytes ${String(start)}-${String(end - 1)}/${String(file.length)}`
        : `bytes */${String(file.length)}`;
    body = file.subarray(start, status === 206 ? end : start);
  }
  if (fault.body !== undefined) body = Buffer.from(fault.body);
  headers['content-length'] = String(body.length);
  for (const [name, value] of Object.entries({ ...headers, ...fault.headers })) {
    if (value !== null) response.setHeader(name, value);
  }
  response.writeHead(fault.status ?? status);
  const stopAt = fault.breakAfter ?? fault.silentAfter;
  if (stopAt === undefined) return void response.end(body);
  response.flushHeaders();
  response.write(body.subarray(0, stopAt), () => {
    // The bytes leave the socket's buffer before it goes.
    if (fault.breakAfter !== undefined) setTimeout(() => request.socket.destroy(), 10);
  });
}
