import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';

export interface SseMessage {
  event: string;
  id: string | undefined;
  data: string;
}

/** Reads server-sent events over a real socket; `next` waits for the next message. */
export async function openStream(url: string, headers: Record<string, string>) {
  const request = get(url, { headers });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  response.setEncoding('utf8');
  const messages: SseMessage[] = [];
  let waiting: (() => void) | undefined;
  let ended = false;
  let text = '';
  response.on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const message = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (message) messages.push(message);
    }
    waiting?.();
  });
  response.once('close', () => {
    ended = true;
    waiting?.();
  });

  return {
    response,
    async next(): Promise<SseMessage | undefined> {
      while (messages.length === 0 && !ended) await new Promise<void>((wake) => (waiting = wake));
      return messages.shift();
    },
    async body(): Promise<string> {
      while (!ended) await new Promise<void>((wake) => (waiting = wake));
      return text;
    },
    [Symbol.dispose]: () => request.destroy(),
  };
}

function parse(block: string): SseMessage | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')];
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { event: fields.get('event') ?? 'message', id: fields.get('id'), data };
}
