import { Webhook } from 'standardwebhooks';
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

/** Why nothing was answered. The words of the system would name the address, which is secret. */
export function reason(error: unknown): string {
  const { code, name, message } = deepest(error);
  const certificate = CERTIFICATE[code];
  if (certificate) return `TLS certificate not valid: ${certificate}`;
  if (NETWORK[code]) return NETWORK[code];
  if (/^(ERR_SSL_|EPROTO)/.test(code)) return 'no TLS connection could be made';
  if (name === 'HTTPParserError') return 'the answer is not HTTP';
  if (message === 'bad port') return 'this port is kept for another protocol';
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? `failed with ${code}` : 'failed';
}

const CERTIFICATE: Record<string, string> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its issuer is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
};

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke before the answer was complete',
  EPIPE: 'the connection broke before the answer was complete',
  UND_ERR_SOCKET: 'the connection broke before the answer was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection broke before the answer was complete',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found: no name server answers',
  EHOSTUNREACH: 'the address cannot be reached',
  EHOSTDOWN: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  EADDRNOTAVAIL: 'the address cannot be reached',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
};

/** Causes are wrapped in one another; the innermost one with a code tells most. */
function deepest(error: unknown): { code: string; name: string; message: string } {
  let found = { code: '', name: '', message: '' };
  for (let at = error; at instanceof Error; at = innerOf(at)) {
    const { code, name, message } = at as NodeJS.ErrnoException;
    found = { code: typeof code === 'string' ? code : found.code, name, message };
  }
  return found;
}

function innerOf(error: Error): unknown {
  return error instanceof AggregateError ? (error.errors[0] as unknown) : error.cause;
}
