import { problems } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Account, Container, Workspace } from '../api/api.ts';
import { faults } from '../fault-words.ts';
import { TagManagerFault } from '../faults.ts';
import type { Jobs } from '../jobs.ts';
import type { Audit } from './audit.ts';
import type { FirstLook } from './first-look.ts';
import { createHooks } from './hooks.ts';
import { partOf } from './lists.ts';
import type { Lists } from './lists.ts';
import type {
  AccountQuery,
  AccountView,
  Chosen,
  ContainerQuery,
  ContainerView,
  Selection,
  WorkspaceQuery,
  WorkspaceView,
} from './schema.ts';
import type { ConnectionStore } from './store.ts';

interface Parts {
  store: ConnectionStore;
  lists: Lists;
  jobs: Pick<Jobs, 'current' | 'stop'>;
  firstLook: Pick<FirstLook, 'forget'>;
  report: (tenantId: string, fault: TagManagerFault) => Promise<void>;
  log: Pick<Logger, 'error'>;
  audit: Audit;
}

/** Problems that another choice does away with, and those that a list of accounts does. */
const BY_CHOICE = new Set(['wrong_account', 'workspace_gone', 'no_permission', 'no_accounts']);
const BY_ACCOUNTS = new Set(['no_accounts', 'api_disabled']);

/** Choosing what the connection is about: account, container and workspace. */
export function createSelect(parts: Parts) {
  const { store, lists, jobs, firstLook, report, log, audit } = parts;
  const hooks = createHooks<[tenantId: string, who: string, before: Chosen | null]>(
    'a container was chosen',
    log,
  );

  /** With their names, from what was read lately, or anew when it is not in there. */
  async function find(tenantId: string, wanted: Selection): Promise<Chosen> {
    const { account_id, container_id, workspace_id } = wanted;
    const [accountId, containerId] = [account_id, container_id];
    const account = await pick(
      (refresh) => lists.accounts(tenantId, refresh),
      (one) => one.accountId === accountId,
      'account_id',
    );
    const container = await pick(
      (refresh) => lists.containers(tenantId, accountId, refresh),
      (one) => one.containerId === containerId,
      'container_id',
    );
    const workspace = await pick(
      (refresh) => lists.workspaces(tenantId, { accountId, containerId }, refresh),
      (one) => one.workspaceId === workspace_id,
      'workspace_id',
    );
    return {
      ...{ account_id, account_name: account.name },
      ...{ container_id, container_name: container.name, public_id: container.publicId },
      ...{ workspace_id, workspace_name: workspace.name },
    };
  }

  /** It is the first thing that is read, so it shows first what stands in the way. */
  async function readAccounts(tenantId: string, refresh?: boolean): Promise<Account[]> {
    try {
      const all = await lists.accounts(tenantId, refresh);
      const { problem } = store.find(tenantId) ?? {};
      if (all.length === 0) await report(tenantId, faults.noAccounts());
      else if (BY_ACCOUNTS.has(problem?.code ?? '')) await store.setProblem(tenantId, null);
      return all;
    } catch (error) {
      if (error instanceof TagManagerFault) await report(tenantId, error);
      throw error;
    }
  }

  /** An apply writes into what was chosen before, and is not to be torn. */
  function refuseWhileWriting(tenantId: string): void {
    if (jobs.current(tenantId)?.kind === 'apply') throw problems.tagManagerWriting();
  }

  return {
    async accounts(tenantId: string, query: AccountQuery): Promise<AccountView[]> {
      const all = await readAccounts(tenantId, query.refresh);
      return partOf(all, query, (one) => [one.name, one.accountId]).map(accountView);
    },
    async containers(tenantId: string, query: ContainerQuery): Promise<ContainerView[]> {
      const all = await lists.containers(tenantId, query.account_id, query.refresh);
      const namesOf = (one: Container) => [one.name, one.publicId, one.containerId];
      return partOf(all, query, namesOf).map(containerView);
    },
    async workspaces(tenantId: string, query: WorkspaceQuery): Promise<WorkspaceView[]> {
      const place = { accountId: query.account_id, containerId: query.container_id };
      const all = await lists.workspaces(tenantId, place, query.refresh);
      return partOf(all, query, (one) => [one.name, one.workspaceId]).map(workspaceView);
    },

    async choose(tenantId: string, wanted: Selection, who: string): Promise<void> {
      refuseWhileWriting(tenantId);
      const chosen = await find(tenantId, wanted);
      refuseWhileWriting(tenantId);
      await jobs.stop(tenantId);
      const before = await store.change(tenantId, (record) => {
        // One may have begun while the others were waited for.
        refuseWhileWriting(tenantId);
        if (record.connected_at === null) throw faults.notConnected();
        const former = record.chosen;
        record.chosen = chosen;
        if (BY_CHOICE.has(record.problem?.code ?? '')) record.problem = null;
        return former;
      });
      firstLook.forget(tenantId);
      const words = `${chosen.container_name} (${chosen.public_id}), ${chosen.workspace_name}`;
      await audit(tenantId, { deed: 'chose', who, words });
      const failure = await hooks.run(tenantId, who, before);
      if (failure !== undefined) throw failure;
    },

    /** Hears of each choice, with what had been chosen before. */
    onChosen: hooks.add,
  };
}

/** One of a list, which is read again before it is said that it is not there. */
async function pick<T>(
  read: (refresh: boolean) => Promise<T[]>,
  isMeant: (one: T) => boolean,
  path: string,
): Promise<T> {
  const found = (await read(false)).find(isMeant) ?? (await read(true)).find(isMeant);
  if (found !== undefined) return found;
  const message = 'is none that the connected Google account can see';
  throw problems.invalid([{ path, message }]);
}

const accountView = ({ accountId, name }: Account): AccountView => ({
  ...{ account_id: accountId, name },
});
const containerView = (one: Container): ContainerView => ({
  ...{ account_id: one.accountId, container_id: one.containerId, public_id: one.publicId },
  ...{ name: one.name, usage_context: one.usageContext },
});
const workspaceView = (one: Workspace): WorkspaceView => ({
  ...{ account_id: one.accountId, container_id: one.containerId, workspace_id: one.workspaceId },
  ...{ name: one.name, description: one.description },
});
