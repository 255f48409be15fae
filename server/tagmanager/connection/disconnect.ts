import type { Logger } from '../../platform/log.ts';
import { TagManagerFault } from '../faults.ts';
import type { Jobs } from '../jobs.ts';
import type { Audit } from './audit.ts';
import type { Consents } from './consent.ts';
import type { FirstLook } from './first-look.ts';
import { GRANTS } from './grants.ts';
import type { Grants } from './grants.ts';
import { createHooks } from './hooks.ts';
import type { Lists } from './lists.ts';
import type { OAuth } from './oauth.ts';
import type { Disconnected } from './schema.ts';
import { NOTHING } from './store.ts';
import type { Connected, ConnectionStore } from './store.ts';
import type { TokenKeeper } from './tokens.ts';

interface Parts {
  store: ConnectionStore;
  oauth: Pick<OAuth, 'withdraw'>;
  consents: Pick<Consents, 'forget'>;
  tokens: Pick<TokenKeeper, 'open' | 'clientOf'>;
  jobs: Pick<Jobs, 'stop' | 'forget'>;
  grants: Pick<Grants, 'isShared'>;
  lists: Pick<Lists, 'forget'>;
  firstLook: Pick<FirstLook, 'forget'>;
  log: Pick<Logger, 'warn' | 'error'>;
  audit: Audit;
}

const STANDS = `so the grant still stands there: remove it under ${GRANTS}`;

/** Ends a connection: what is kept here goes first, whatever the identity provider says. */
export function createDisconnect(parts: Parts) {
  const { store, oauth, grants, consents, tokens, jobs, lists, firstLook, log, audit } = parts;
  const hooks = createHooks<[tenantId: string]>('the tag manager was disconnected', log);

  /** Returns what there was. */
  async function forget(tenantId: string): Promise<Connected | undefined> {
    const before = store.find(tenantId);
    if (before === undefined) return undefined;
    return store.change(tenantId, (record) => {
      // As it is in this very moment: tokens may have been refreshed since.
      const there = { ...record, scopes: [...record.scopes] };
      Object.assign(record, structuredClone(NOTHING));
      return there;
    });
  }

  async function withdrawn(record: Connected | undefined): Promise<Disconnected> {
    if (record === undefined || record.connected_at === null) {
      return { revoked: true, detail: 'There was no connection; nothing is stored of any.' };
    }
    if (record.tokens === null) {
      return { revoked: true, detail: `${GONE} The grant had ended before.` };
    }
    const kept = tokens.open(record);
    if (kept === undefined) {
      return { revoked: false, detail: `${GONE} The stored access could not be read, ${STANDS}` };
    }
    if (grants.isShared(record.client_id, record.tenant_id)) {
      return { revoked: false, detail: `${GONE} ${SHARED}` };
    }
    try {
      await oauth.withdraw(tokens.clientOf(record), kept.refresh);
      return { revoked: true, detail: `${GONE} The grant was withdrawn at Google too.` };
    } catch (error) {
      const code = error instanceof TagManagerFault ? error.code : 'unreadable';
      log.warn({ code }, 'The grant of the tag manager could not be withdrawn');
      const why = code === 'unreachable' ? 'could not be reached' : 'did not take it back';
      return { revoked: false, detail: `${GONE} Google ${why}, ${STANDS}` };
    }
  }

  return {
    async disconnect(tenantId: string, who: string): Promise<Disconnected> {
      consents.forget(tenantId);
      // What is being written ends with the write that has been sent; what stays is told.
      await jobs.stop(tenantId);
      const before = await forget(tenantId);
      const copyFailure = await failureOf(store.renewCopy());
      lists.forget(tenantId);
      firstLook.forget(tenantId);
      jobs.forget(tenantId);
      const failure = (await hooks.run(tenantId)) ?? copyFailure;
      const outcome = await withdrawn(before);
      if (before && before.connected_at !== null) {
        const words = outcome.revoked ? 'The grant is withdrawn' : 'The grant may still stand';
        await audit(tenantId, { deed: 'disconnected', who, words });
      }
      // Whoever asked must hear that something is still there; asking again takes it up again.
      if (failure !== undefined) throw failure;
      return outcome;
    },

    /** What else is kept of a container goes when this is called; it may be called again. */
    onDisconnected: hooks.add,

    /** At the start: takes up what a crash in the middle of disconnecting left. */
    async tidy(): Promise<void> {
      for (const record of store.list()) {
        if (record.connected_at === null) await hooks.run(record.tenant_id);
      }
    },
  };
}

async function failureOf(work: Promise<void>): Promise<Error | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const GONE = 'Everything that was stored here of the tag manager is deleted.';
const SHARED = `The grant at Google is still in use by another tenant here, so it was not withdrawn: it is when the last of them disconnects, or under ${GRANTS}`;
