import type { Clock } from '../../platform/clock.ts';
import { problems } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { isDoneWithin } from '../../platform/patience.ts';
import type { Cipher } from '../../platform/secrets.ts';
import { faults } from '../fault-words.ts';
import { TagManagerFault } from '../faults.ts';
import type { Granted, OAuth, OAuthClient } from './oauth.ts';
import { tokens as tokensSchema } from './schema.ts';
import type { StoredConnection, Tokens } from './schema.ts';
import type { Connected, ConnectionStore } from './store.ts';

interface Parts {
  store: ConnectionStore;
  oauth: Pick<OAuth, 'refresh' | 'withdraw'>;
  cipher: Cipher;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
}

type Sealed = Pick<Connected, 'tenant_id' | 'tokens'>;
export type TokenKeeper = ReturnType<typeof createTokens>;

/** A request that takes its time should still arrive with a token that is good. */
const EARLY_MS = 5 * 60_000;
const CLOSE_WITHIN_MS = 1_500;

/** The tokens of each tenant: encrypted where they are kept, and refreshed in time. */
export function createTokens({ store, oauth, cipher, clock, log }: Parts) {
  // By the refresh token that is used, so that a newer consent waits for no older one.
  const underWay = new Map<string, Promise<string>>();
  // What could not be written, by tenant, with the refresh token that is on disk instead.
  const unsaved = new Map<string, { insteadOf: string; tokens: Tokens }>();

  const seal = (tokens: Tokens) => cipher.encrypt(JSON.stringify(tokens));

  function stored(record: Sealed | undefined): Tokens | undefined {
    if (!record?.tokens) return undefined;
    try {
      return tokensSchema.parse(JSON.parse(cipher.decrypt(record.tokens)));
    } catch {
      return undefined;
    }
  }

  function open(record: Sealed | undefined): Tokens | undefined {
    const onDisk = stored(record);
    const newer = unsaved.get(record?.tenant_id ?? '');
    return newer && newer.insteadOf === onDisk?.refresh ? newer.tokens : onDisk;
  }

  /** Throws unless there is a secret that can be read, or none. */
  function clientOf(record: Pick<Connected, 'client_id' | 'client_secret'>): OAuthClient {
    const { client_id: id, client_secret: secret } = record;
    if (secret === null) return { id, secret };
    try {
      return { id, secret: cipher.decrypt(secret) };
    } catch {
      throw problems.clientUnreadable();
    }
  }

  function held(tenantId: string): { record: Connected; kept: Tokens } {
    const record = store.find(tenantId);
    if (record === undefined || record.connected_at === null) throw faults.notConnected();
    if (record.tokens === null) throw faults.grantEnded();
    const kept = open(record);
    if (kept === undefined) throw faults.tokensUnreadable();
    return { record, kept };
  }

  /** One that is good for a while; `refresh` when the one from before was refused. */
  async function access(tenantId: string, { refresh } = { refresh: false }): Promise<string> {
    const { record, kept } = held(tenantId);
    if (!refresh && clock.now() < kept.access_ends - EARLY_MS) return kept.access;
    const running = underWay.get(kept.refresh);
    const renewal = running ?? renew(tenantId, clientFor(record), kept);
    if (!running) {
      underWay.set(kept.refresh, renewal);
      void renewal.catch(() => undefined).then(() => underWay.delete(kept.refresh));
    }
    try {
      return await renewal;
    } catch (error) {
      const isAway = error instanceof TagManagerFault && error.code === 'unreachable';
      if (isAway && !refresh && clock.now() < kept.access_ends) return kept.access;
      throw error;
    }
  }

  function clientFor(record: Connected): OAuthClient {
    try {
      return clientOf(record);
    } catch {
      throw faults.tokensUnreadable();
    }
  }

  async function renew(tenantId: string, client: OAuthClient, kept: Tokens): Promise<string> {
    let granted: Granted;
    try {
      granted = await oauth.refresh(client, kept.refresh);
    } catch (error) {
      if (!isHeld(tenantId, kept)) return access(tenantId);
      await noteRefusal(tenantId, kept, error);
      throw error;
    }
    const next = tokensOf(granted, granted.refresh ?? kept.refresh, clock.now());
    if (await replace(tenantId, kept, next)) return next.access;
    // The connection was ended meanwhile: nobody else will ever withdraw what has just come.
    const isGone = store.find(tenantId)?.connected_at === null;
    if (isGone && next.refresh !== kept.refresh) {
      await oauth.withdraw(client, next.refresh).catch(() => undefined);
    }
    return access(tenantId);
  }

  /** False when others stand there by now, or none: who came later is right. */
  async function replace(tenantId: string, kept: Tokens, next: Tokens): Promise<boolean> {
    try {
      const isKept = await changeIfSame(tenantId, kept, (record) => {
        record.tokens = seal(next);
        if (record.problem?.code === 'wrong_client') record.problem = null;
      });
      unsaved.delete(tenantId);
      return isKept;
    } catch {
      const onDisk = stored(store.find(tenantId));
      if (!onDisk || !isHeld(tenantId, kept)) return false;
      // The one before may be good for nothing any more, so this one must not be lost.
      log.warn({ tenantId }, 'Refreshed tokens of the tag manager could not be written to disk');
      unsaved.set(tenantId, { insteadOf: onDisk.refresh, tokens: next });
      return true;
    }
  }

  const isHeld = (tenantId: string, kept: Tokens): boolean =>
    open(store.find(tenantId))?.refresh === kept.refresh;

  const changeIfSame = (
    tenantId: string,
    kept: Tokens,
    mutator: (record: StoredConnection) => void,
  ): Promise<boolean> =>
    store.change(tenantId, (record) => {
      if (open(record)?.refresh !== kept.refresh) return false;
      mutator(record);
      return true;
    });

  async function noteRefusal(tenantId: string, kept: Tokens, error: unknown): Promise<void> {
    if (!(error instanceof TagManagerFault)) return;
    if (error.code !== 'grant_ended' && error.code !== 'wrong_client') return;
    const problem = error.view(clock.now());
    const noted = changeIfSame(tenantId, kept, (record) => {
      if (error.code === 'grant_ended') record.tokens = null;
      record.problem = problem;
    });
    await noted.catch(() => log.warn({ tenantId }, 'An ended grant could not be noted'));
  }

  return {
    access,
    open,
    clientOf,
    isReadable: (record: Connected): boolean =>
      record.tokens === null || open(record) !== undefined,
    sealed: (granted: Granted, refresh: string): string =>
      seal(tokensOf(granted, refresh, clock.now())),
    /** What is under way may be written yet: a refresh token that was replaced is gone for good. */
    async close(): Promise<void> {
      const all = Promise.allSettled([...underWay.values()]);
      await isDoneWithin(all, CLOSE_WITHIN_MS);
    },
  };
}

function tokensOf({ access, expiresInSeconds }: Granted, refresh: string, now: number): Tokens {
  return { access, access_ends: now + expiresInSeconds * 1000, refresh };
}
