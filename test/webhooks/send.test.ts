import { describe, expect, it } from 'vitest';
import { DELAYS, JITTER, nextAttempt, TRIED_FOR } from '../../server/webhooks/schedule.ts';
import { reason } from '../../server/platform/no-answer.ts';
import { send } from '../../server/webhooks/send.ts';
import { openReceiver } from './receiver.ts';

const coded = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('secret-host'), { code }) });

describe('the reason why nothing was answered', () => {
  it.each([
    ['ECONNREFUSED', 'connection refused'],
    ['ENOTFOUND', 'name not found'],
    ['EAI_AGAIN', 'name not found: no name server answers'],
    ['EHOSTUNREACH', 'the address cannot be reached'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
    ['CERT_HAS_EXPIRED', 'TLS certificate not valid: it has expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS certificate not valid: it is self-signed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS certificate not valid: it is for another name'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS certificate not valid: its issuer is not known here'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no TLS connection could be made'],
    ['ESOMETHING', 'failed with ESOMETHING'],
    ['http://user:pass@host', 'failed'],
  ])('for %s is: %s', (code, words) => {
    expect(reason(coded(code))).toBe(words);
  });

  it('is found where every address of a name has failed', () => {
    const inner = Object.assign(new Error('a'), { code: 'ECONNREFUSED' });
    const both = new AggregateError([inner, inner], '');
    expect(reason(new TypeError('fetch failed', { cause: both }))).toBe('connection refused');
  });

  it('is never in the words of the system, which would name the address', () => {
    expect(reason(new TypeError('Failed to parse URL from http://secret-host'))).toBe('failed');
    expect(reason('text')).toBe('failed');
  });

  it.each([
    ['https', 'no TLS connection could be made'],
    ['port', 'this port is reserved for another protocol'],
  ])('is told of what really happens: %s', async (kind, words) => {
    const { url } = await openReceiver();
    const part = {
      url: kind === 'https' ? url.replace('http:', 'https:') : 'http://127.0.0.1:25/',
      secret: `whsec_${Buffer.alloc(24).toString('base64')}`,
      headers: {},
      allow_private: true,
    };
    const outcome = await send(
      part,
      { id: 'msg_1', body: '{}' },
      {
        ...{ now: Date.now(), userAgent: 'x', timeoutMs: 5000 },
        closing: new AbortController().signal,
      },
    );
    expect(outcome).toEqual({ status: null, error: words, notBefore: 0 });
  });
});

describe('the next attempt', () => {
  const begunAt = 1_000_000_000_000;
  const after = (failures: number, now = begunAt, chance = 0.5, notBefore = 0) =>
    nextAttempt({ begunAt, failures }, now, notBefore, chance);

  it('comes after a pause that grows, a tenth shorter or longer by chance', () => {
    for (const [index, delay] of DELAYS.entries()) {
      expect(after(index + 1)).toBe(begunAt + delay);
      expect(after(index + 1, begunAt, 0)).toBe(begunAt + Math.round(delay * (1 - JITTER)));
      expect(after(index + 1, begunAt, 1)).toBe(begunAt + Math.round(delay * (1 + JITTER)));
    }
    expect([...DELAYS].sort((a, b) => a - b)).toEqual(DELAYS);
  });

  it('is never after three days, and there is none after the last', () => {
    const end = begunAt + TRIED_FOR;
    expect(after(DELAYS.length, end - 1000, 1)).toBe(end);
    expect(after(1, end)).toBeUndefined();
    expect(after(DELAYS.length + 1)).toBeUndefined();
    expect(after(1, begunAt, 0.5, end + 1)).toBe(end);
    expect(after(1, begunAt, 0.5, end)).toBe(end);
  });
});
