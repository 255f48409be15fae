import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';

export interface Received {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = number | { status: number; headers?: Record<string, string>; body?: string } | 'hang';

/** Someone else's server on this machine. It answers what it is told, 204 to begin with. */
export async function openReceiver(answer: Answer = 204) {
  const received: Received[] = [];
  let next = answer;
  let waiting: (() => void)[] = [];

  const handle: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { method, headers } = request;
      received.push({ method, headers, body });
      for (const wake of waiting.splice(0)) wake();
      if (next === 'hang') return;
      const { status, headers: more = {}, body: text = '' } = asAnswer(next);
      response.writeHead(status, more).end(text);
    });
  };
  const server = createServer(handle);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    waiting = [];
  };
  onTestFinished(close);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in/secret-path`,
    received,
    close,
    answers(answer: Answer) {
      next = answer;
    },
    /** Resolves when this many have come, however long ago. */
    async arrived(count: number): Promise<void> {
      while (received.length < count) await new Promise<void>((wake) => waiting.push(wake));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

function asAnswer(answer: Exclude<Answer, 'hang'>) {
  return typeof answer === 'number' ? { status: answer } : answer;
}

/** What a receiver does that was written with nothing but the library; throws what it throws. */
export function verified({ headers, body }: Received, secret: string): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
