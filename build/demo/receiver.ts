import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Every so many messages the receiver is too busy at first. */
const BUSY_EVERY = 6;
const REMEMBERED = 1_000;

/** Where the webhook of the demonstration goes: this process, and no further. */
export async function openReceiver() {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const id = String(request.headers['webhook-id']);
      const isNew = !seen.has(id);
      if (seen.size < REMEMBERED) seen.add(id);
      response.statusCode = statusFor(request.url, isNew && seen.size % BUSY_EVERY === 0);
      response.end();
    });
  });
  const listening = Promise.withResolvers<undefined>();
  server.once('error', listening.reject);
  server.listen(0, '127.0.0.1', () => listening.resolve(undefined));
  await listening.promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function statusFor(url: string | undefined, isBusy: boolean): number {
  if (url !== '/vedette') return 404;
  return isBusy ? 503 : 204;
}
