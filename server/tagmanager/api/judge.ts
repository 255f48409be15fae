import { z } from 'zod';
import { faults } from '../fault-words.ts';
import type { TagManagerFault } from '../faults.ts';
import type { Answer } from './exchange.ts';

/** What an answer means for the one who asked. */
export type Judgement =
  | { is: 'good' }
  /** Not carried out, since the token was not taken. */
  | { is: 'unknown token' }
  /** Not carried out, since too much was asked. */
  | { is: 'too fast' }
  /** Failed over there; perhaps it was carried out. */
  | { is: 'broken'; detail: string }
  | { is: 'refused'; fault: TagManagerFault };

const MOST_WORDS = 300;
/** As long as an API key may be. */
const LAST_WORD = / ?\S{1,200}$/u;

const QUOTA_REASONS = [
  ...['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded'],
  ...['RATE_LIMIT_EXCEEDED', 'RESOURCE_EXHAUSTED'],
];

interface Refusal {
  message: string;
  /** In a word: 'PERMISSION_DENIED'. */
  status: string;
  /** From all the places where Google's APIs name one. */
  reasons: string[];
  limits: string[];
}

export function judge(answer: Answer, { guarded }: { guarded: boolean }): Judgement {
  const { status } = answer;
  if (status >= 200 && status < 300) return { is: 'good' };
  if (status === 401) return { is: 'unknown token' };
  const refusal = refusalOf(answer.json);
  if (status === 429 || (status === 403 && speaksOfQuota(refusal))) {
    return isForTheDay(refusal) ? refused(faults.quotaDay()) : { is: 'too fast' };
  }
  if (status >= 500 || status === 408) return { is: 'broken', detail: `it answered ${status}` };
  if (status < 400) return { is: 'broken', detail: `it answered ${status}, which leads elsewhere` };
  return refused(faultFor(status, refusal, guarded));
}

function faultFor(status: number, refusal: Refusal, guarded: boolean): TagManagerFault {
  const { message, reasons } = refusal;
  const has = (...any: string[]) => any.some((one) => reasons.includes(one));
  if (status === 403) {
    if (has('accessNotConfigured', 'SERVICE_DISABLED')) return faults.apiDisabled();
    const isScope = has('ACCESS_TOKEN_SCOPE_INSUFFICIENT') || /authentication scope/i.test(message);
    return isScope ? faults.missingScope() : faults.noPermission();
  }
  if (status === 404) return faults.notFound();
  // What a wrong fingerprint is answered with is written down nowhere.
  const isConflict = status === 409 || status === 412 || (guarded && /fingerprint/i.test(message));
  if (isConflict) return faults.conflict();
  return faults.refused(message === '' ? `it answered ${status}` : message);
}

function speaksOfQuota({ message, status, reasons }: Refusal): boolean {
  if (status === 'RESOURCE_EXHAUSTED') return true;
  // The words alone tell nothing where there is a reason: others speak of a quota project.
  if (reasons.length === 0) return /quota/i.test(message);
  return reasons.some((one) => QUOTA_REASONS.includes(one) || one.startsWith('dailyLimitExceeded'));
}

function isForTheDay({ message, reasons, limits }: Refusal): boolean {
  return (
    reasons.some((one) => one.startsWith('dailyLimitExceeded')) ||
    limits.some((one) => /per_?day/i.test(one)) ||
    /\b(per day|daily)\b/i.test(message)
  );
}

function refused(fault: TagManagerFault): Judgement {
  return { is: 'refused', fault };
}

const word = z.string().catch('');
const errorBody = z.object({
  error: z.object({
    message: word,
    status: word,
    errors: z.array(z.object({ reason: word }).catch({ reason: '' })).catch([]),
    details: z
      .array(
        z
          .object({
            reason: word,
            metadata: z.object({ quota_limit: word }).catch({ quota_limit: '' }),
          })
          .catch({ reason: '', metadata: { quota_limit: '' } }),
      )
      .catch([]),
  }),
});

function refusalOf(json: unknown): Refusal {
  const told = errorBody.safeParse(json);
  if (!told.success) return { message: '', status: '', reasons: [], limits: [] };
  const { message, status, errors, details } = told.data.error;
  return {
    message: cut(message),
    status,
    reasons: [...errors, ...details].map(({ reason }) => reason).filter(Boolean),
    limits: details.map(({ metadata }) => metadata.quota_limit),
  };
}

/**
 * By whole characters, since half of one can be stored nowhere, and without the word that is cut
 * through: what is left of an API key is not known as one any more.
 */
function cut(message: string): string {
  const line = message.toWellFormed().replaceAll('\0', '').replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= MOST_WORDS) return line;
  return `${characters.slice(0, MOST_WORDS).join('').replace(LAST_WORD, '')}…`;
}
