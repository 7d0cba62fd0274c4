/** Files over a real socket, as a static host gives them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Host {
  /** With a slash at its end. */
  readonly url: string;
  /** By path without a leading slash; change it while it runs. */
  readonly files: Map<string, Uint8Array>;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function serve(): Promise<Host> {
  const files = new Map<string, Uint8Array>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.slice(1);
    asked.push(path);
    const body = files.get(path);
    if (body) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    files,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
