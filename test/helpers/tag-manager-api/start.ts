import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './answers.ts';
import { createTagManagerApi } from './create.ts';
import type { Options } from './create.ts';

export type { Recorded } from './create.ts';

export interface TagManagerApiOptions extends Options {
  port?: number;
}

/** The tag manager's API at a port of this machine. */
export async function startTagManagerApi({ port = 0, ...options }: TagManagerApiOptions = {}) {
  const api = createTagManagerApi(options);

  async function respond(request: IncomingMessage): Promise<Answer | 'drop'> {
    const { method = 'GET', url = '/', headers } = request;
    const text = await bodyOf(request);
    return api.respond({ method, url, authorization: headers.authorization, text });
  }

  const server = createServer((request, response) => {
    respond(request).then(
      (answer) => {
        if (answer === 'drop') request.socket.destroy();
        else send(response, answer);
      },
      // Whoever asked has gone.
      () => request.socket.destroy(),
    );
  });
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready));

  return {
    ...api,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      api.forget();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export type TagManagerApi = Awaited<ReturnType<typeof startTagManagerApi>>;

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  const type = body ? { 'content-type': 'application/json; charset=UTF-8' } : {};
  response.writeHead(status, { ...headers, ...type });
  response.end(body && JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
