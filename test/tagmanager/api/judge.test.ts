import { describe, expect, it } from 'vitest';
import { judge } from '../../../server/tagmanager/api/judge.ts';

const refusal = (status: number, error: object) => ({ status, retryAfterMs: 0, json: { error } });
const reason = (text: string) => ({ errors: [{ reason: text }] });

/** What it comes to, in a word. */
function verdict(answer: ReturnType<typeof refusal>, guarded = false): string {
  const judged = judge(answer, { guarded });
  return judged.is === 'refused' ? judged.fault.code : judged.is;
}

describe('an answer of the API', () => {
  it.each<[number, object, string]>([
    [200, {}, 'good'],
    [204, {}, 'good'],
    [302, {}, 'broken'],
    [400, {}, 'refused'],
    [400, { message: 'fingerprint: is odd' }, 'refused'],
    [401, {}, 'unknown token'],
    [403, {}, 'no_permission'],
    [403, reason('rateLimitExceeded'), 'too fast'],
    [403, reason('userRateLimitExceeded'), 'too fast'],
    [403, reason('quotaExceeded'), 'too fast'],
    [403, { status: 'RESOURCE_EXHAUSTED' }, 'too fast'],
    [403, { message: 'The account has insufficient quota to proceed.' }, 'too fast'],
    [403, { details: [{ reason: 'RATE_LIMIT_EXCEEDED' }] }, 'too fast'],
    [403, reason('dailyLimitExceeded'), 'quota_day'],
    [403, reason('accessNotConfigured'), 'api_disabled'],
    [403, { details: [{ reason: 'SERVICE_DISABLED' }] }, 'api_disabled'],
    [
      403,
      { message: 'No quota scope.', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] },
      'missing_scope',
    ],
    [
      403,
      {
        status: 'PERMISSION_DENIED',
        message: 'The API requires a quota project, which is not set by default.',
        details: [{ reason: 'SERVICE_DISABLED' }],
      },
      'api_disabled',
    ],
    [403, { message: 'No quota for you', ...reason('forbidden') }, 'no_permission'],
    [
      403,
      { status: 'PERMISSION_DENIED', message: 'The account has insufficient quota to proceed.' },
      'too fast',
    ],
    [403, { details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] }, 'missing_scope'],
    [403, { message: 'Request had insufficient authentication scopes.' }, 'missing_scope'],
    [403, reason('insufficientPermissions'), 'no_permission'],
    [404, {}, 'not_found'],
    [408, {}, 'broken'],
    [409, {}, 'conflict'],
    [412, {}, 'conflict'],
    [413, {}, 'refused'],
    [429, {}, 'too fast'],
    [429, { message: "Quota exceeded for limit 'Queries per day'" }, 'quota_day'],
    [429, { details: [{ metadata: { quota_limit: 'RequestsPerDayPerProject' } }] }, 'quota_day'],
    [429, { details: [{ metadata: { quota_limit: 'RequestsPerMinutePerProject' } }] }, 'too fast'],
    [500, {}, 'broken'],
    [503, reason('backendError'), 'broken'],
  ])('%d %j means: %s', (status, error, expected) => {
    expect(verdict(refusal(status, error))).toBe(expected);
  });

  it('is cut where it is long, and not through the middle of a sign', () => {
    for (const before of [299, 298]) {
      const judged = judge(refusal(400, { message: `${'a'.repeat(before)}😀😀` }), {
        guarded: false,
      });
      const words = judged.is === 'refused' ? judged.fault.message : '';
      expect(words).toMatch(/aaa/);
      expect(words.isWellFormed()).toBe(true);
    }
  });

  it('is cut through no word, which may be the key that was sent', () => {
    const message = `${'No. '.repeat(70)}Not by-hand-0123456789-0123456789, never`;
    const judged = judge(refusal(400, { message }), { guarded: false });
    expect(judged.is === 'refused' && judged.fault.message).toMatch(/No\. Not…\.$/);
  });

  it('about the fingerprint is a conflict where one was given', () => {
    expect(verdict(refusal(400, { message: 'The fingerprint is wrong' }), true)).toBe('conflict');
    expect(verdict(refusal(400, { message: 'The name is taken' }), true)).toBe('refused');
  });

  it('is cut between characters, and mended where it has half of one', () => {
    const words = (message: string) => {
      const judged = judge(refusal(400, { message }), { guarded: false });
      return judged.is === 'refused' ? judged.fault.message : '';
    };
    for (const start of ['', 'a']) {
      const told = words(`${start}${'😀'.repeat(400)}`);
      expect(told).toContain('😀…');
      expect(told.isWellFormed()).toBe(true);
    }
    expect(words('No \ud83d, \0never')).toBe('The tag manager refused it: No \ufffd, never.');
  });
});
