import { problems } from '../platform/errors.ts';
import type { Passwords } from '../platform/passwords.ts';
import { randomToken, sha256Hex } from '../platform/secrets.ts';
import type { TenantStore } from '../tenants/store.ts';
import type { Attempts, Guesser } from './attempts.ts';
import { browserWords } from './browser-words.ts';
import { deviceOf, deviceToken } from './devices.ts';
import type { PasswordChange, SessionEntry, SessionView, SignIn } from './schema.ts';
import type { Session, SessionStore } from './store.ts';

export type SignInDesk = ReturnType<typeof createSignIn>;

export interface Visitor {
  address: string;
  /** What attempts are counted by; one IPv6 host has many addresses. */
  network: string;
  userAgent: string;
  /** What this browser was given when it signed in before. */
  device?: string | undefined;
}

interface Parts {
  sessions: SessionStore;
  tenants: TenantStore;
  passwords: Passwords;
  attempts: Attempts;
}

const TOKEN_LIFETIME = 10 * 60_000;
const MAX_TOKENS = 20;

export function createSignIn({ sessions, tenants, passwords, attempts }: Parts) {
  const tokens = new Map<string, number>();

  /** Deleted by the look-up itself, so that two requests at once cannot both use it. */
  function useToken(token: string, now: number): boolean {
    const hash = sha256Hex(token);
    const expiresAt = tokens.get(hash) ?? 0;
    tokens.delete(hash);
    return expiresAt > now;
  }

  /** Returns the hash that the password matched. */
  async function checkPassword(
    password: string,
    who: Guesser,
    now: number,
    refusal = problems.wrongPassword,
  ): Promise<string> {
    const stored = sessions.password();
    if (stored === null) throw problems.noPasswordSet();
    attempts.begin(who, now);
    const right = await passwords.verify(password, stored).catch((error: unknown) => {
      attempts.takeBack(who);
      throw error;
    });
    if (!right) throw refusal();
    attempts.succeeded(who);
    return stored;
  }

  return {
    /** For the link that the desktop program or the terminal shows. */
    createSignInToken(now: number): string {
      const token = randomToken(32);
      tokens.set(sha256Hex(token), now + TOKEN_LIFETIME);
      for (const oldest of tokens.keys()) {
        if (tokens.size <= MAX_TOKENS) break;
        tokens.delete(oldest);
      }
      return token;
    },

    async signIn({ password, token }: SignIn, visitor: Visitor, now: number) {
      // Nobody guesses 256 bits, so links are not counted, and open however much was guessed.
      if (token !== undefined && !useToken(token, now)) throw problems.badSignInToken();
      const { address, userAgent } = visitor;
      const input = { tenantId: tenants.first().id, address, userAgent };
      if (password === undefined) return sessions.open({ ...input, openedBy: 'link' }, now);
      const { network, device } = visitor;
      const known = deviceOf(device, sessions.password());
      const matched = await checkPassword(password, { network, known }, now);
      return sessions.open({ ...input, openedBy: 'password', matched }, now);
    },

    /** For a browser that is signed in, to be told apart from guessers; none without a password. */
    deviceFor(given: string | undefined): string | undefined {
      const stored = sessions.password();
      return stored === null ? undefined : deviceToken(stored, deviceOf(given, stored));
    },

    async changePassword(id: string, change: PasswordChange, network: string, now: number) {
      const isKnown = sessions.password() !== null;
      if (isKnown && sessions.get(id).opened_by === 'password') {
        const current = change.current_password;
        if (current === undefined) throw problems.currentPassword('is required');
        await checkPassword(current, { network, known: id }, now, () =>
          problems.currentPassword('is not the current password'),
        );
      }
      await sessions.setPassword(await passwords.hash(change.password), id);
    },

    async switchTenant(id: string, tenantId: string): Promise<Session> {
      return sessions.switchTenant(id, tenants.get(tenantId).id);
    },

    describe(session: Session): SessionView {
      return {
        tenant_id: session.tenant_id,
        tenant_name: tenants.get(session.tenant_id).name,
        expires_at: session.expires_at,
        password_set: sessions.password() !== null,
      };
    },

    list: (currentId: string, now: number): SessionEntry[] =>
      sessions.list(now).map((session) => ({
        id: session.id,
        opened_by: session.opened_by,
        address: session.address,
        user_agent: session.user_agent,
        browser: browserWords(session.user_agent),
        created_at: session.created_at,
        expires_at: session.expires_at,
        current: session.id === currentId,
      })),
  };
}
