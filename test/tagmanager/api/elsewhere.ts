import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Answer } from '../../helpers/tag-manager-api/answers.ts';

/** A server that is not the tag manager's, and answers everything alike: in JSON, or a plain text. */
export async function openElsewhere(answer: Answer | string) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? '');
    if (typeof answer === 'string') response.end(answer);
    else {
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
