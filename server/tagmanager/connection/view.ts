import type { Clock } from '../../platform/clock.ts';
import { faults, leftOut } from '../fault-words.ts';
import type { Jobs } from '../jobs.ts';
import type { Consents } from './consent.ts';
import { EDIT_SCOPE } from './oauth.ts';
import type { ConnectionView, FaultView } from './schema.ts';
import type { Connected, ConnectionStore } from './store.ts';
import type { TokenKeeper } from './tokens.ts';

/** Of the pacer, what is shown. */
export interface Quota {
  usedToday: (project: string) => number;
  waitingMs: (project: string) => number;
  perDay: number;
}

interface Parts {
  store: Pick<ConnectionStore, 'find'>;
  consents: Pick<Consents, 'waiting' | 'outcome'>;
  tokens: Pick<TokenKeeper, 'isReadable'>;
  jobs: Pick<Jobs, 'current' | 'lastFailure'>;
  pacer: Quota;
  clock: Clock;
  redirectUri: () => string;
}

/** Whose quota a request counts against: the project stands in front of the client ID. */
export function projectOf({ client_id: id }: Pick<Connected, 'client_id'>): string {
  return /^(\d+)-/.exec(id)?.[1] ?? id;
}

export const mayEdit = ({ scopes }: Pick<Connected, 'scopes'>): boolean =>
  scopes.includes(EDIT_SCOPE);

/** The connection as it is shown: nothing in it lets anybody in. */
export function createView(parts: Parts) {
  const { store, consents, tokens, jobs, pacer, clock, redirectUri } = parts;

  function problemOf(record: Connected | undefined, tenantId: string): FaultView | null {
    const outcome = consents.outcome(tenantId) ?? null;
    if (record === undefined || record.connected_at === null) return outcome;
    // Who cancels has still what there was before.
    if (outcome !== null && outcome.code !== 'cancelled') return outcome;
    const lasting = lastingOf(record);
    if (lasting !== null || mayEdit(record)) return lasting;
    return faults.missingScope(leftOut.editing).view(Date.parse(record.connected_at));
  }

  /** Until it is put right. */
  function lastingOf(record: Connected): FaultView | null {
    if (!tokens.isReadable(record)) return faults.tokensUnreadable().view(clock.now());
    if (record.problem !== null) return { ...record.problem };
    return record.tokens === null ? faults.grantEnded().view(clock.now()) : null;
  }

  function standsInTheWay(tenantId: string): FaultView | null {
    const record = store.find(tenantId);
    const fault = record?.connected_at ? lastingOf(record) : null;
    // That one may be about editing alone.
    return fault?.code === 'missing_scope' ? null : fault;
  }

  /** `showsConsent` only to whoever may answer it: its address has the state in it. */
  function view(tenantId: string, { showsConsent }: { showsConsent: boolean }): ConnectionView {
    const record = store.find(tenantId);
    const attempt = consents.waiting(tenantId);
    const waiting = attempt && {
      authorize_url: attempt.authorizeUrl,
      until: new Date(attempt.until).toISOString(),
    };
    const isConnected = record !== undefined && record.connected_at !== null;
    return {
      state: waiting ? 'waiting' : isConnected ? 'connected' : 'not_connected',
      client: {
        id: record?.client_id ?? null,
        has_secret: typeof record?.client_secret === 'string',
      },
      redirect_uri: redirectUri(),
      waiting: (showsConsent && waiting) || null,
      connected_at: record?.connected_at ?? null,
      may_edit: record !== undefined && mayEdit(record),
      chosen: record?.chosen ? { ...record.chosen } : null,
      problem: problemOf(record, tenantId),
      job: jobs.current(tenantId),
      last_failure: jobs.lastFailure(tenantId),
      quota: quotaOf(record),
    };
  }

  function quotaOf(record: Connected | undefined): ConnectionView['quota'] {
    const project = record && projectOf(record);
    return {
      used_today: project === undefined ? 0 : pacer.usedToday(project),
      per_day: pacer.perDay,
      waiting_seconds: project === undefined ? 0 : Math.ceil(pacer.waitingMs(project) / 1000),
    };
  }

  return { view, standsInTheWay };
}
