import http from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { reason } from '../platform/no-answer.ts';
import { Barred, hostIn, isOtherProtocol, openAddresses } from './places.ts';
import type { Resolve } from './places.ts';
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
  resolve?: Resolve | undefined;
}

/** On every message, and on the answer of a Vedette that is sent one: it takes none. */
export const WEBHOOK_HEADER = 'vedette-webhook';

/** All that an answer may say is its status. */
const READ_BYTES = 4096;

/** One exchange with the receiver. Throws only when it was given up from this side. */
export async function send(
  { url, secret, headers, allow_private: allowPrivate }: SealedPart,
  { id, body }: Message,
  { now, userAgent, timeoutMs, closing, resolve }: SendOptions,
): Promise<Outcome> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const giveUp = () => limit.abort();
  closing.addEventListener('abort', giveUp);
  const open = (host: string) => openAddresses(host, allowPrivate, resolve);
  try {
    const seconds = Math.floor(now / 1000);
    const options = {
      method: 'POST',
      signal: limit.signal,
      agent: false,
      autoSelectFamily: true,
      lookup: lookupIn(open),
      headers: {
        'user-agent': userAgent,
        accept: '*/*',
        'accept-encoding': 'identity',
        ...lowerCased(headers),
        'content-type': 'application/json',
        [WEBHOOK_HEADER]: '1',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': new Webhook(secret).sign(id, new Date(seconds * 1000), body),
      },
    };
    const target = new URL(url);
    if (isOtherProtocol(target)) throw new Barred('this port is reserved for another protocol');
    // What is an address already is looked up nowhere.
    if (isIP(hostIn(url))) await open(hostIn(url));
    const response = await exchange(target, options, body);
    const { statusCode: status = 0 } = response;
    const isGood = status >= 200 && status < 300;
    // Its status says all; what breaks off behind a good one changes nothing.
    await drop(response).catch((error: unknown) => {
      if (closing.aborted || !isGood) throw error;
    });
    return {
      status,
      error: isGood ? null : wordsFor(response),
      notBefore: isGood ? 0 : momentAfter(response.headers['retry-after'], now),
    };
  } catch (error) {
    closing.throwIfAborted();
    if (error instanceof Barred) return { status: null, error: error.message, notBefore: 0 };
    const why = limit.signal.aborted
      ? `no answer within ${timeoutMs / 1000} seconds`
      : reason(error);
    return { status: null, error: why, notBefore: 0 };
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', giveUp);
  }
}

/** The connection goes to the very addresses that were judged: asked again, a name may say others. */
const lookupIn =
  (open: (host: string) => Promise<string[]>): LookupFunction =>
  (host, _options, done) => {
    open(host).then(
      (all) =>
        done(
          null,
          all.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: unknown) => done(error as Error, []),
    );
  };

function exchange(url: URL, options: RequestOptions, body: string): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((answered, failed) => {
    request(url, options, answered).on('error', failed).end(body);
  });
}

/** Reads a little: who is cut off in the middle of a short answer may take it for a failure. */
async function drop(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > READ_BYTES) return;
  }
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function wordsFor({ statusCode: status = 0, headers }: IncomingMessage): string {
  if (status === 410) return 'answered 410 Gone';
  if (headers[WEBHOOK_HEADER] !== undefined) {
    return `answered ${status}: there is a Vedette at this address, which does not accept webhooks`;
  }
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `answered ${status}: redirects are not followed` : `answered ${status}`;
}

/** Retry-After, in seconds or as a date; 0 when it says nothing. */
function momentAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  if (/^\d+$/.test(text)) return now + Number(text) * 1000;
  // Only dates as HTTP writes them: the parser would take almost anything for one.
  const isDate = /^[A-Z][a-z]+, \d/.test(text);
  return (isDate && Date.parse(text)) || 0;
}
