import type { Clock } from '../../platform/clock.ts';
import { problems } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Cipher } from '../../platform/secrets.ts';
import type { Api, Place, Workspace } from '../api/api.ts';
import { faults } from '../fault-words.ts';
import type { TagManagerFault } from '../faults.ts';
import type { Jobs } from '../jobs.ts';
import { createAnswers, paramsOf } from './answer.ts';
import type { Former } from './answer.ts';
import type { Audit } from './audit.ts';
import type { Attempt, Consents } from './consent.ts';
import { createDisconnect } from './disconnect.ts';
import { createFirstLook } from './first-look.ts';
import { createFormerGrant } from './former-grant.ts';
import { createGrants, GRANTS } from './grants.ts';
import { createLists } from './lists.ts';
import type { OAuth } from './oauth.ts';
import type { Chosen, ClientInput, FaultCode } from './schema.ts';
import { createSelect } from './select.ts';
import type { ConnectionStore } from './store.ts';
import { createTokens } from './tokens.ts';
import { createView, mayEdit, projectOf } from './view.ts';
import type { Quota } from './view.ts';

/** Makes the API of one connection, on the pacer that all share. */
export type MakeApi = (given: {
  accessToken: (options?: { refresh: boolean }) => Promise<string>;
  project: string;
}) => Api;

export interface ConnectionParts {
  store: ConnectionStore;
  oauth: OAuth;
  consents: Consents;
  clock: Clock;
  cipher: Cipher;
  jobs: Pick<Jobs, 'current' | 'lastFailure' | 'stop' | 'forget'>;
  pacer: Quota;
  createApi: MakeApi;
  audit?: Audit;
  log: Pick<Logger, 'warn' | 'error'>;
  redirectUri: () => string;
}

export type Connection = ReturnType<typeof createConnection>;

/** What stays true until somebody puts it right; all others are of one moment. */
const LASTING: ReadonlySet<FaultCode> = new Set([
  'grant_ended',
  'wrong_client',
  'wrong_account',
  'no_accounts',
  'no_permission',
  'api_disabled',
  'workspace_gone',
  'missing_scope',
]);

/** The tag manager of each tenant: whether it may be asked, in whose name, and about what. */
export function createConnection(parts: ConnectionParts) {
  const { store, oauth, consents, clock, cipher, jobs, createApi, log, redirectUri } = parts;
  const tokens = createTokens({ store, oauth, cipher, clock, log });
  const grants = createGrants({ store, oauth });
  const lists = createLists({ apiFor, clock });
  const leaveFormer = createFormerGrant({ lists, grants, oauth, createApi });
  const firstLook = createFirstLook({ store, lists, report, log });
  const { view: viewOf, standsInTheWay } = createView({ ...parts, tokens });

  const audit: Audit = async (tenantId, entry) => {
    try {
      await parts.audit?.(tenantId, entry);
    } catch (error) {
      log.error({ err: error, tenantId }, 'The audit trail of the tag manager was not written');
    }
  };
  const takeAnswer = createAnswers({
    ...{ store, oauth, grants, consents, tokens, clock, log, connected },
  });
  const select = createSelect({ store, lists, jobs, firstLook, report, log, audit });
  const leaving = createDisconnect({
    ...{ store, oauth, grants, consents, tokens, jobs, lists, firstLook, log, audit },
  });
  const view = (tenantId: string) => viewOf(tenantId, { showsConsent: true });

  async function connected(attempt: Attempt, former: Former): Promise<void> {
    const { tenantId, who } = attempt;
    // What it has read may be of another account; and how the last one went is past.
    if (jobs.current(tenantId)?.kind === 'snapshot') await jobs.stop(tenantId);
    jobs.forget(tenantId);
    lists.forget(tenantId);
    firstLook.begin(tenantId, async () => {
      const isLeft = former.tokens && (await leaveFormer(attempt, former.tokens));
      if (isLeft || !former.hasGrant) return;
      await audit(tenantId, { deed: 'connected', who, words: MAY_STAND });
    });
    const record = store.find(tenantId);
    const rights = record && mayEdit(record) ? 'To read and to edit' : 'To read only';
    const words = former.isConnection ? `${rights}, in place of the connection before` : rights;
    await audit(tenantId, { deed: 'connected', who, words });
  }

  function apiFor(tenantId: string): Api {
    const record = store.find(tenantId);
    if (record === undefined || record.connected_at === null) throw faults.notConnected();
    if (record.tokens === null) throw faults.grantEnded();
    if (!tokens.isReadable(record)) throw faults.tokensUnreadable();
    const accessToken = (options?: { refresh: boolean }) => tokens.access(tenantId, options);
    return createApi({ accessToken, project: projectOf(record) });
  }

  /** Never fails: what cannot be written is only not remembered. */
  async function report(tenantId: string, fault: TagManagerFault): Promise<void> {
    if (!LASTING.has(fault.code)) return;
    // Of an account that sees nothing at all, this one says more.
    const isTold = store.find(tenantId)?.problem?.code === 'wrong_account';
    if (isTold && fault.code === 'no_accounts') return;
    await store.setProblem(tenantId, fault.view(clock.now())).catch(() => undefined);
  }

  async function cleared(tenantId: string): Promise<void> {
    consents.forgetOutcome(tenantId);
    await store.setProblem(tenantId, null).catch(() => undefined);
  }

  return {
    view: viewOf,
    /** What keeps the container from being read, until it is put right. */
    standsInTheWay,

    async setClient(
      tenantId: string,
      { client_id: id, client_secret: secret }: ClientInput,
    ): Promise<void> {
      checkClient(id, secret);
      const sealed = typeof secret === 'string' ? cipher.encrypt(secret) : secret;
      await store.setClient(tenantId, id, sealed);
      // The consent screen that may be open is that of the client from before.
      consents.forget(tenantId);
    },

    async beginConsent(tenantId: string, who: string) {
      const record = store.find(tenantId);
      if (record === undefined) throw problems.noClient();
      const client = tokens.clientOf(record);
      await consents.begin(tenantId, { client, redirectUri: redirectUri(), who });
      return view(tenantId);
    },
    async cancelConsent(tenantId: string) {
      consents.cancel(tenantId);
      return view(tenantId);
    },
    /** What the browser brought back, in the address that it was led to. */
    takeAnswer: (address: string) => takeAnswer(paramsOf(address)),
    /** The same, pasted by a person whose browser is on another machine. */
    async pasteAnswer(tenantId: string, address: string) {
      const outcome = await takeAnswer(paramsOf(address), tenantId);
      if (outcome.kind === 'broken') throw outcome.problem;
      const fault = PASTED[outcome.kind];
      if (fault) throw problems.invalid([{ path: 'address', message: fault }]);
      return view(tenantId);
    },

    ...leaving,
    ...select,

    apiFor,
    chosen(tenantId: string): Chosen {
      const chosen = store.find(tenantId)?.chosen;
      if (!chosen) throw faults.nothingChosen();
      return { ...chosen };
    },
    placeOf: ({ account_id, container_id, workspace_id }: Chosen): Place => ({
      ...{ accountId: account_id, containerId: container_id, workspaceId: workspace_id },
    }),
    mayEdit: (tenantId: string): boolean => mayEdit(store.find(tenantId) ?? { scopes: [] }),
    projectOf: (tenantId: string): string => projectOf(store.find(tenantId) ?? { client_id: '' }),

    /** Publishing puts another workspace of the same name in the place of the one before. */
    async moved(tenantId: string, workspace: Workspace): Promise<void> {
      await store.change(tenantId, ({ chosen }) => {
        if (chosen?.container_id !== workspace.containerId) return;
        chosen.workspace_id = workspace.workspaceId;
        chosen.workspace_name = workspace.name;
      });
    },
    report,
    cleared,

    /** When what begins with a consent is done; for tests. */
    lookedAt: firstLook.done,
    async close(): Promise<void> {
      firstLook.close();
      await tokens.close();
      oauth.close();
    },
  };
}

const MAY_STAND = `If the connection before was of another Google account, its grant may still stand there: remove it under ${GRANTS}`;

/** Why a pasted address cannot be used. */
const PASTED: Partial<Record<string, string>> = {
  used: 'was used already: connect again if that did not work',
  ended: 'belongs to an attempt that was cancelled or replaced: connect again',
  late: 'came too late: connect again',
  unknown: 'is not that of the last page: copy the whole address, with code and state in it',
};

/** The two are easily swapped, and what Google says then does not tell. */
function checkClient(id: string, secret: string | null | undefined): void {
  if (id.startsWith('GOCSPX-')) {
    const message = 'is a client secret: the ID ends with .apps.googleusercontent.com';
    throw problems.invalid([{ path: 'client_id', message }]);
  }
  if (secret?.endsWith('.apps.googleusercontent.com')) {
    const message = 'is a client ID: the secret begins with GOCSPX-';
    throw problems.invalid([{ path: 'client_secret', message }]);
  }
}
