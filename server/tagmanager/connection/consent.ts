import { timingSafeEqual } from 'node:crypto';
import { generateRandomCodeVerifier } from 'oauth4webapi';
import type { Clock } from '../../platform/clock.ts';
import { randomToken, sha256Hex } from '../../platform/secrets.ts';
import { faults } from '../fault-words.ts';
import type { TagManagerFault } from '../faults.ts';
import type { FaultView } from './schema.ts';
import type { ConsentRequest, OAuth, OAuthClient } from './oauth.ts';

/** One opening of the consent screen. */
export interface Attempt extends ConsentRequest {
  readonly tenantId: string;
  /** In whose name it was begun. */
  readonly who: string;
  readonly authorizeUrl: string;
  readonly until: number;
}

/** What an answer belongs to. */
export type Claim =
  | { kind: 'attempt'; attempt: Attempt }
  /** Answered before; ended or replaced by the person; too late; or of nobody here. */
  | { kind: 'used' | 'ended' | 'late' | 'unknown' };

interface Entry {
  attempt: Attempt;
  digest: Buffer;
  /** It has been answered, and the tokens are being fetched. */
  isClaimed: boolean;
}

interface Past {
  digest: Buffer;
  kind: 'used' | 'ended' | 'late';
}

interface Parts {
  clock: Clock;
  oauth: Pick<OAuth, 'consentUrl'>;
}

export type Consents = ReturnType<typeof createConsents>;

const LIFETIME_MS = 10 * 60_000;
/** Of so many that are over it is known why. */
const MOST_PAST = 100;

/**
 * Where the consent screen leads back to, given what is listened on: a name may have come to either
 * address of loopback.
 */
export function redirectUriOf(of: { host: string; address?: string; port: number }): string {
  const { host, address = host, port } = of;
  const name = /^\[?::1\]?$/.test(address) ? '[::1]' : '127.0.0.1';
  return `http://${name}:${port}/oauth/callback`;
}

/**
 * Attempts at a consent: one at a time for each tenant, for ten minutes, each answered once. They
 * are kept in memory alone, since none should outlive the process that began it.
 */
export function createConsents({ clock, oauth }: Parts) {
  const open = new Map<string, Entry>();
  const outcomes = new Map<string, FaultView>();
  let past: Past[] = [];

  function endOf(tenantId: string, kind: Past['kind']): void {
    const entry = open.get(tenantId);
    if (entry === undefined) return;
    open.delete(tenantId);
    past = [...past, { digest: entry.digest, kind }].slice(-MOST_PAST);
  }

  /** What nobody answered in time. */
  function lapse(): void {
    for (const { attempt, isClaimed } of [...open.values()]) {
      if (isClaimed || isInTime(attempt, clock.now())) continue;
      endOf(attempt.tenantId, 'late');
      outcomes.set(attempt.tenantId, faults.timedOut().view(attempt.until));
    }
  }

  const isCurrent = (attempt: Attempt) => open.get(attempt.tenantId)?.attempt === attempt;

  return {
    async begin(
      tenantId: string,
      given: { client: OAuthClient; redirectUri: string; who: string },
    ): Promise<Attempt> {
      const asked = { ...given, state: randomToken(32), verifier: generateRandomCodeVerifier() };
      const authorizeUrl = await oauth.consentUrl(asked);
      const until = clock.now() + LIFETIME_MS;
      const attempt: Attempt = { ...asked, tenantId, authorizeUrl, until };
      endOf(tenantId, 'ended');
      outcomes.delete(tenantId);
      open.set(tenantId, { attempt, digest: digestOf(attempt.state), isClaimed: false });
      return attempt;
    },

    waiting(tenantId: string): Attempt | undefined {
      lapse();
      return open.get(tenantId)?.attempt;
    },

    /** Takes the attempt that has this state, once; of one tenant, when that is known. */
    claim(state: string, tenantId?: string): Claim {
      lapse();
      const digest = digestOf(state);
      const isSame = (other: { digest: Buffer }) => timingSafeEqual(other.digest, digest);
      const entry = [...open.values()].filter(isSame)[0];
      const isOurs = tenantId === undefined || entry?.attempt.tenantId === tenantId;
      if (entry && isOurs) {
        if (entry.isClaimed) return { kind: 'used' };
        entry.isClaimed = true;
        return { kind: 'attempt', attempt: entry.attempt };
      }
      return { kind: past.filter(isSame)[0]?.kind ?? 'unknown' };
    },

    /** Whether it still counts: it may have been cancelled or replaced while it was answered. */
    isCurrent,

    /** After its answer, with what came of it. */
    finish(attempt: Attempt, fault?: TagManagerFault): void {
      if (!isCurrent(attempt)) return;
      endOf(attempt.tenantId, 'used');
      if (fault) outcomes.set(attempt.tenantId, fault.view(clock.now()));
    },

    /** By the person, who is told so when there was something to cancel. */
    cancel(tenantId: string): void {
      lapse();
      if (!open.has(tenantId)) return;
      endOf(tenantId, 'ended');
      outcomes.set(tenantId, faults.cancelled().view(clock.now()));
    },

    /** How the last attempt failed, until there is another one or it no longer matters. */
    outcome(tenantId: string): FaultView | undefined {
      lapse();
      return outcomes.get(tenantId);
    },

    /** No attempt, and no word of any. */
    forget(tenantId: string): void {
      endOf(tenantId, 'ended');
      outcomes.delete(tenantId);
    },
    forgetOutcome: (tenantId: string): void => {
      outcomes.delete(tenantId);
    },
  };
}

/** A clock that was set back far must not keep an attempt open for long. */
function isInTime({ until }: Attempt, now: number): boolean {
  return now < until && now >= until - 2 * LIFETIME_MS;
}

const digestOf = (state: string) => Buffer.from(sha256Hex(state), 'hex');
