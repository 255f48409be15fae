import type { Clock } from '../../platform/clock.ts';
import { HttpError, problems } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { faults, leftOut } from '../fault-words.ts';
import { TagManagerFault } from '../faults.ts';
import type { Attempt, Claim, Consents } from './consent.ts';
import type { Grants } from './grants.ts';
import { EDIT_SCOPE, READ_SCOPE } from './oauth.ts';
import type { Granted, OAuth } from './oauth.ts';
import { consentFault } from './oauth-faults.ts';
import type { Tokens } from './schema.ts';
import type { ConnectionStore } from './store.ts';
import type { TokenKeeper } from './tokens.ts';

/** What came of an answer of the consent screen; `isKept` tells of the connection before it. */
export type Outcome =
  | { kind: 'connected'; mayEdit: boolean }
  | { kind: 'failed'; fault: TagManagerFault; isKept: boolean }
  /** Something went wrong here. */
  | { kind: 'broken'; problem: HttpError; isKept: boolean }
  | { kind: Exclude<Claim['kind'], 'attempt'> };

/** What a consent took the place of. */
export interface Former {
  isConnection: boolean;
  hasGrant: boolean;
  /** None where they cannot be read either. */
  tokens: Tokens | undefined;
}

interface Kept {
  mayEdit: boolean;
  former: Former;
}

interface Parts {
  store: ConnectionStore;
  oauth: Pick<OAuth, 'exchange'>;
  grants: Pick<Grants, 'drop'>;
  consents: Consents;
  tokens: Pick<TokenKeeper, 'sealed' | 'open'>;
  clock: Clock;
  log: Pick<Logger, 'error'>;
  connected: (attempt: Attempt, former: Former) => Promise<void>;
}

/** Takes what the consent screen leads back with; of one tenant, when that is known. */
export function createAnswers(parts: Parts) {
  const { store, oauth, grants, consents, tokens, clock, log, connected } = parts;

  async function granted(attempt: Attempt, params: URLSearchParams): Promise<Granted> {
    const refusal = params.get('error');
    if (refusal !== null) throw consentFault(refusal);
    return oauth.exchange(attempt, params.get('code') ?? '');
  }

  async function keep(attempt: Attempt, { scopes, ...grant }: Granted): Promise<Kept> {
    const ours = [READ_SCOPE, EDIT_SCOPE].filter((scope) => scopes.includes(scope));
    if (!ours.includes(READ_SCOPE)) throw faults.missingScope(leftOut.reading);
    const { refresh } = grant;
    if (refresh === undefined) throw faults.noRefreshToken();
    const former = await store.change(attempt.tenantId, (record) => {
      // Cancelled, replaced or disconnected while the tokens were fetched: that was later.
      if (!consents.isCurrent(attempt)) throw faults.cancelled();
      const before = {
        isConnection: record.connected_at !== null,
        hasGrant: record.tokens !== null,
        tokens: tokens.open(record),
      };
      record.tokens = tokens.sealed({ ...grant, scopes }, refresh);
      record.scopes = ours;
      record.connected_at = new Date(clock.now()).toISOString();
      record.problem = null;
      return before;
    });
    return { mayEdit: ours.includes(EDIT_SCOPE), former };
  }

  async function complete(attempt: Attempt, params: URLSearchParams): Promise<Kept> {
    const grant = await granted(attempt, params);
    try {
      return await keep(attempt, grant);
    } catch (error) {
      await grants.drop(attempt.client, grant.refresh ?? grant.access);
      throw error;
    }
  }

  return async (params: URLSearchParams, tenantId?: string): Promise<Outcome> => {
    const claim = isAnswer(params)
      ? consents.claim(params.get('state') ?? '', tenantId)
      : { kind: 'unknown' as const };
    if (claim.kind !== 'attempt') return claim;
    const { attempt } = claim;
    try {
      const { mayEdit, former } = await complete(attempt, params);
      consents.finish(attempt);
      await connected(attempt, former);
      return { kind: 'connected', mayEdit };
    } catch (error) {
      const fault = error instanceof TagManagerFault ? error : undefined;
      consents.finish(attempt, fault);
      const isKept = typeof store.find(attempt.tenantId)?.tokens === 'string';
      if (fault) return { kind: 'failed', fault, isKept };
      if (error instanceof HttpError) return { kind: 'broken', problem: error, isKept };
      // Not the error itself, which may hold what was just granted.
      const name = error instanceof Error ? error.name : typeof error;
      log.error({ error: name }, 'The answer of the consent screen could not be taken');
      return { kind: 'broken', problem: problems.consentNotTaken(), isKept };
    }
  };
}

/** Nothing is twice in an answer; and the address of the consent screen itself is none. */
function isAnswer(params: URLSearchParams): boolean {
  const count = (name: string) => params.getAll(name).length;
  return count('state') === 1 && count('code') + count('error') === 1;
}

/** The query of an address as it was copied, whole or in part. */
export function paramsOf(address: string): URLSearchParams {
  const query = address.slice(address.indexOf('?') + 1);
  return new URLSearchParams(query.replace(/#.*$/s, ''));
}
