/** The plainest host there is: files of one folder below one path, no header that isolates, no rewriting. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** @param prefix path with a slash at both ends. @returns the address of the folder, and what stops the host. */
export async function host(
  folder: string,
  prefix: string,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://host').pathname);
    const inside = path.startsWith(prefix) ? normalize(path.slice(prefix.length)) : null;
    if (inside === null || inside.startsWith('..')) {
      response.writeHead(404).end('not here');
      return;
    }
    const file = join(folder, path.endsWith('/') ? join(inside, 'index.html') : inside);
    readFile(file).then(
      (bytes) =>
        response
          .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
          .end(bytes),
      () => response.writeHead(404).end('not here'),
    );
  });
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${String(port)}${prefix}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
