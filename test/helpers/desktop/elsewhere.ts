import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from './scope.ts';

/** A site that is not ours, and remembers who came. */
export async function openElsewhere(scope: Scope) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>');
  });
  await new Promise<void>((up) => {
    server.listen(0, '127.0.0.1', up);
  });
  scope.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked: (): readonly string[] => asked };
}
