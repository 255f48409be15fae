import { randomUUID } from 'node:crypto';
import { problems } from '../platform/errors.ts';
import { randomToken, sha256Hex } from '../platform/secrets.ts';
import type { SettingsFile, View } from '../platform/settings-file.ts';
import type { SettingsData } from '../settings/file-schema.ts';
import type { OpenedBy, StoredSession } from './schema.ts';

export type Session = View<StoredSession>;
export type SessionStore = ReturnType<typeof createSessionStore>;

export interface NewSession {
  tenantId: string;
  openedBy: OpenedBy;
  /** The password's hash that was matched; a session is not opened by one replaced meanwhile. */
  matched?: string;
  address: string;
  userAgent: string;
}

const DAY = 86_400_000;
export const LIFETIME = 30 * DAY;
const MAX_SESSIONS = 50;

export function createSessionStore({ file }: { file: SettingsFile<SettingsData> }) {
  const indexed = () => new Map(file.data.sessions.map((session) => [session.hash, session]));
  let byHash = indexed();

  async function save<Result>(mutator: (draft: SettingsData) => Result): Promise<Result> {
    const result = await file.update(mutator);
    byHash = indexed();
    return result;
  }

  return {
    /** The token is returned this once; only its hash is kept. */
    async open(input: NewSession, now: number): Promise<{ session: Session; token: string }> {
      const token = randomToken(32);
      const session: StoredSession = {
        id: randomUUID(),
        hash: sha256Hex(token),
        tenant_id: input.tenantId,
        opened_by: input.openedBy,
        address: input.address,
        user_agent: input.userAgent.slice(0, 200),
        created_at: new Date(now).toISOString(),
        expires_at: new Date(now + LIFETIME).toISOString(),
      };
      await save((draft) => {
        if (input.matched !== undefined && input.matched !== draft.password) {
          throw problems.wrongPassword();
        }
        const live = draft.sessions.filter((other) => isLive(other, now));
        draft.sessions = [...live, session].slice(-MAX_SESSIONS);
      });
      return { session, token };
    },
    find(token: string, now: number): Session | undefined {
      const session = byHash.get(sha256Hex(token));
      return session && isLive(session, now) ? session : undefined;
    },
    isLive: (id: string, tenantId: string, now: number): boolean =>
      file.data.sessions.some(
        (session) => session.id === id && session.tenant_id === tenantId && isLive(session, now),
      ),
    get(id: string): Session {
      return byId(file.data.sessions, id);
    },
    list(now: number): Session[] {
      return file.data.sessions.filter((session) => isLive(session, now)).reverse();
    },
    /** Pushes the end out, at most once a day so that looking around writes nothing. */
    async extend(session: Session, now: number): Promise<boolean> {
      if (Date.parse(session.expires_at) - now > LIFETIME - DAY) return false;
      const expires_at = new Date(now + LIFETIME).toISOString();
      // Gone means that it was ended elsewhere meanwhile, and so it stays.
      return save((draft) => {
        const stored = draft.sessions.find((other) => other.id === session.id);
        if (stored && stored.expires_at < expires_at) stored.expires_at = expires_at;
        return stored !== undefined;
      });
    },
    switchTenant: (id: string, tenantId: string): Promise<Session> =>
      save((draft) => Object.assign(byId(draft.sessions, id), { tenant_id: tenantId })),
    end: (id: string) =>
      save((draft) => {
        const session = byId(draft.sessions, id);
        draft.sessions = draft.sessions.filter((other) => other !== session);
      }),

    password: (): string | null => file.data.password,
    /** Whoever knew the old password is out; the one who changed it stays. */
    setPassword: (hash: string, keep: string) =>
      save((draft) => {
        draft.password = hash;
        draft.sessions = draft.sessions.filter((session) => session.id === keep);
      }),
  };
}

function isLive(session: Session, now: number): boolean {
  return Date.parse(session.expires_at) > now;
}

function byId<S extends { readonly id: string }>(sessions: readonly S[], id: string): S {
  const session = sessions.find((one) => one.id === id);
  if (session === undefined) throw problems.notFound('Session');
  return session;
}
