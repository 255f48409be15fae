import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { STRANGERS_PER_MINUTE } from '../platform/bounds.ts';
import type { Clock } from '../platform/clock.ts';
import { problems, type HttpError } from '../platform/errors.ts';
import { LIFETIME, type SessionStore } from '../session/store.ts';
import type { SettingsStore } from '../settings/store.ts';
import type { Scope } from '../tenants/schema.ts';
import type { TenantStore } from '../tenants/store.ts';
import { SESSION_COOKIE, setSessionCookie } from './cookie.ts';
import { visitorKey, type Limiter } from './limits.ts';
import { createDashboardGuard, isSameOrigin } from './local.ts';
import { createAddressOf } from './proxies.ts';

export interface Caller {
  readonly tenantId: string;
  readonly scope: Scope;
  readonly via: 'key' | 'session';
  readonly keyId?: string;
  readonly sessionId?: string;
  readonly allowedDomains: readonly string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; set by `identity.requires`, so only there where a route requires someone. */
    caller: Caller;
  }
}

export interface Needs {
  scope: Scope;
  /** Whether a session will do: besides a key, alone, or not at all. */
  session?: 'also' | 'only' | 'no';
  /** A dashboard route answers only where the dashboard does, whoever asks. */
  dashboard?: boolean;
}

export type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
export type Identity = ReturnType<typeof createIdentity>;

interface Parts {
  tenants: TenantStore;
  sessions: SessionStore;
  settings: SettingsStore;
  clock: Clock;
  /** By address, for requests without a valid key. */
  limits: { strangers: Limiter };
  /** This machine's name on the network. */
  machine?: string;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAY: Record<Scope, string> = {
  full: 'change things',
  read: 'read',
  ingest: 'send events',
  metrics: 'read the metrics',
};

export function createIdentity(parts: Parts) {
  const { tenants, sessions, settings, clock, limits } = parts;
  const addressOf = createAddressOf(() => settings.current().trusted_proxies);
  const guard = createDashboardGuard(parts);

  const byKey = (secret: string, now: number): Caller | undefined => tenants.findKey(secret, now);

  /** What to answer to a request without a valid key: the given problem, or 429 after many. */
  function refusal(request: IncomingMessage, now: number, problem: HttpError): HttpError {
    const wait = limits.strangers.take(visitorKey(addressOf(request)), now);
    return wait > 0 ? problems.tooMany(STRANGERS_PER_MINUTE, wait) : problem;
  }

  function judgeKey(secret: string, needs: Needs, request: FastifyRequest, now: number): Caller {
    const caller = byKey(secret, now);
    if (caller === undefined) throw refusal(request.raw, now, problems.badKey());
    if (needs.session === 'only') throw problems.sessionNeeded();
    if (!mayDo(caller.scope, needs.scope)) throw problems.insufficientScope(MAY[needs.scope]);
    return caller;
  }

  async function judgeSession(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
    now: number,
  ): Promise<Caller> {
    guard(request);
    const session = sessions.find(token, now);
    if (session === undefined) throw problems.notSignedIn();
    if (!SAFE.has(request.method) && !isSameOrigin(request)) throw problems.crossOrigin();
    // A session has one tenant, in whichever window it was switched; what others still show is past.
    const shown = request.headers['x-vedette-tenant'];
    if (shown !== undefined && shown !== session.tenant_id) throw problems.otherTenant();
    try {
      if (await sessions.extend(session, now)) setSessionCookie(request, reply, token, LIFETIME);
    } catch (error) {
      // Until the disk takes writes again the session is just not longer than it was.
      request.log.warn({ err: error }, 'A session could not be extended');
    }
    return {
      tenantId: session.tenant_id,
      scope: 'full',
      via: 'session',
      sessionId: session.id,
      allowedDomains: [],
    };
  }

  /** For what the dashboard shows before anyone is signed in. */
  const dashboardOnly: Hook = async (request) => guard(request);

  /** For signing in: a page of another site must not do it in a visitor's name. */
  const signInOnly: Hook = async (request) => {
    guard(request);
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isScript = origin === undefined && (site === undefined || site === 'none');
    if (!isScript && !isSameOrigin(request)) throw problems.crossOrigin();
  };

  return {
    byKey,
    refusal,
    addressOf,

    requires(needs: Needs): Hook {
      return async (request, reply) => {
        const now = clock.now();
        if (needs.dashboard) guard(request);
        const secret = request.headers['x-api-key'];
        if (typeof secret === 'string' && secret !== '') {
          request.caller = judgeKey(secret, needs, request, now);
          return;
        }
        if (needs.session === 'no') throw refusal(request.raw, now, problems.noKey());
        const token = request.cookies[SESSION_COOKIE];
        if (token) request.caller = await judgeSession(token, request, reply, now);
        // A dashboard that is signed out asks often, and may hear so each time.
        else if (needs.session === 'only') throw problems.notSignedIn();
        else throw refusal(request.raw, now, problems.notSignedIn());
      };
    },

    /** For answers that go on for hours: keys and sessions may end meanwhile. */
    stillKnown(caller: Caller): boolean {
      const now = clock.now();
      if (caller.keyId !== undefined) return tenants.isLive(caller.keyId, now);
      const { sessionId = '', tenantId } = caller;
      return sessions.isLive(sessionId, tenantId, now);
    },

    dashboardOnly,
    signInOnly,
  };
}

/** A full key may do everything in its tenant; metrics tell of all tenants. */
export function mayDo(scope: Scope, need: Scope): boolean {
  return scope === need || (scope === 'full' && need !== 'metrics');
}

/** The session behind a caller, on routes that a session alone may use. */
export function sessionOf(caller: Caller): string {
  if (caller.sessionId === undefined) throw problems.sessionNeeded();
  return caller.sessionId;
}
