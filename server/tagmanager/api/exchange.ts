import { reason } from '../../platform/no-answer.ts';
import type { Method } from './paths.ts';

export interface Question {
  method: Method;
  url: string;
  token: string;
  body?: unknown;
}

export interface Answer {
  status: number;
  /** How long to wait, as far as it says. */
  retryAfterMs: number;
  /** As JSON; nothing when it is empty or is none. */
  json: unknown;
}

export interface ExchangeOptions {
  fetch: typeof fetch;
  timeoutMs: number;
  mostBytes: number;
  /** Gives up at once, and throws. */
  signal: AbortSignal | undefined;
}

/** Nothing whole was answered; whether the question was carried out is not known. */
export class NoAnswer extends Error {}

/** One question and its answer. */
export async function exchange(
  { method, url, token, body }: Question,
  options: ExchangeOptions,
): Promise<Answer> {
  const { timeoutMs, mostBytes, signal } = options;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const giveUp = () => limit.abort();
  signal?.addEventListener('abort', giveUp);
  try {
    const response = await options.fetch(url, {
      method,
      // The token must not be taken along to wherever a redirect leads.
      redirect: 'manual',
      signal: limit.signal,
      headers: {
        ...{ authorization: `Bearer ${token}`, accept: 'application/json' },
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    const text = await read(response, mostBytes);
    // An answer that repeats the token would take it into the words of an error.
    const safe = response.ok ? text : text.replaceAll(token, '…');
    return { status, retryAfterMs: retryAfter(headers), json: parsed(safe) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof NoAnswer) throw error;
    const late = `no answer within ${timeoutMs / 1000} seconds`;
    throw new NoAnswer(limit.signal.aborted ? late : reason(error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

async function read({ body }: Response, mostBytes: number): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > mostBytes) {
      await reader.cancel();
      throw new NoAnswer('the answer is too long');
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** In seconds, or as a date by the clock over there. */
function retryAfter(headers: Headers): number {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Only dates as HTTP writes them: the parser would take almost anything for one.
  const isDate = /^[A-Z][a-z]+, \d/.test(text);
  const ms = isDate ? Date.parse(text) - Date.parse(headers.get('date') ?? '') : 0;
  return Math.max(0, ms) || 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
