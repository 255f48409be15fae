import { ResponseBodyError } from 'oauth4webapi';
import { reason } from '../../platform/no-answer.ts';
import { faults } from '../fault-words.ts';
import type { TagManagerFault } from '../faults.ts';

/** Codes of an identity provider that speak against the client itself. */
const WRONG_CLIENT = new Set([
  'invalid_client',
  'unauthorized_client',
  'deleted_client',
  'disabled_client',
  'org_internal',
  'redirect_uri_mismatch',
]);

/** What became of a token request. The error itself may hold tokens, and goes no further. */
export function refreshFault(error: unknown): TagManagerFault {
  if (!(error instanceof ResponseBodyError)) return faults.unreachable(wordsFor(error));
  if (error.error === 'invalid_grant') return faults.grantEnded();
  return codeFault(error.error);
}

/** Here a grant that is not valid is a code that came too late, twice, or not whole. */
export function exchangeFault(error: unknown): TagManagerFault {
  const isOfCode = error instanceof ResponseBodyError && error.error === 'invalid_grant';
  return isOfCode ? faults.codeRefused() : refreshFault(error);
}

/** What the consent screen led back with instead of a code. */
export function consentFault(code: string): TagManagerFault {
  return code === 'access_denied' ? faults.denied() : codeFault(code);
}

function codeFault(code: string): TagManagerFault {
  if (WRONG_CLIENT.has(code)) return faults.wrongClient(code);
  if (code === 'server_error' || code === 'temporarily_unavailable') {
    return faults.unreachable('it answered that it cannot at present');
  }
  // A code is a word; anything else comes from somebody who wants to be read.
  return faults.accessFailed(/^[a-z_]{3,40}$/.test(code) ? `it answered ${code}` : undefined);
}

function wordsFor(error: unknown): string {
  // Of some errors the code is a number.
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'TimeoutError') return 'no answer in time';
  return String(code).startsWith('OAUTH_') ? 'its answer could not be understood' : reason(error);
}
