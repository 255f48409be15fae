import { Webhook } from 'standardwebhooks';
import { reason } from '../platform/no-answer.ts';
import type { SealedPart } from './schema.ts';

/** How one attempt went: `error` is null when it arrived. */
export interface Outcome {
  status: number | null;
  error: string | null;
  /** The receiver asked to be left alone until then. */
  notBefore: number;
}

export interface Message {
  id: string;
  body: string;
}

export interface SendOptions {
  now: number;
  userAgent: string;
  timeoutMs: number;
  /** Gives up at once, and throws. */
  closing: AbortSignal;
}

/** All that an answer may say is its status. */
const READ_BYTES = 4096;

/** One exchange with the receiver. Throws only when it was given up from this side. */
export async function send(
  { url, secret, headers }: SealedPart,
  { id, body }: Message,
  { now, userAgent, timeoutMs, closing }: SendOptions,
): Promise<Outcome> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const giveUp = () => limit.abort();
  closing.addEventListener('abort', giveUp);
  try {
    const seconds = Math.floor(now / 1000);
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: limit.signal,
      headers: {
        'user-agent': userAgent,
        'accept-encoding': 'identity',
        ...lowerCased(headers),
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': new Webhook(secret).sign(id, new Date(seconds * 1000), body),
      },
      body,
    });
    // Its status says all; what breaks off behind a good one changes nothing.
    await drop(response).catch((error: unknown) => {
      if (closing.aborted || !response.ok) throw error;
    });
    return {
      status: response.status,
      error: response.ok ? null : wordsFor(response.status),
      notBefore: response.ok ? 0 : momentAfter(response.headers.get('retry-after'), now),
    };
  } catch (error) {
    closing.throwIfAborted();
    const why = limit.signal.aborted
      ? `no answer within ${timeoutMs / 1000} seconds`
      : reason(error);
    return { status: null, error: why, notBefore: 0 };
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', giveUp);
  }
}

/** Reads a little, since a connection is used again only when its answer has ended. */
async function drop({ body }: Response): Promise<void> {
  if (body === null) return;
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.length;
    if (bytes > READ_BYTES) break;
  }
  await reader.cancel();
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function wordsFor(status: number): string {
  if (status === 410) return 'answered 410 Gone';
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `answered ${status}: redirects are not followed` : `answered ${status}`;
}

/** Retry-After, in seconds or as a date; 0 when it says nothing. */
function momentAfter(header: string | null, now: number): number {
  if (header === null) return 0;
  const text = header.trim();
  if (/^\d+$/.test(text)) return now + Number(text) * 1000;
  // Only dates as HTTP writes them: the parser would take almost anything for one.
  const isDate = /^[A-Z][a-z]+, \d/.test(text);
  return (isDate && Date.parse(text)) || 0;
}
