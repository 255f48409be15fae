import type { Logger } from '../../platform/log.ts';
import { cannotSee, faults } from '../fault-words.ts';
import { TagManagerFault } from '../faults.ts';
import type { Lists } from './lists.ts';
import type { ConnectionStore } from './store.ts';

interface Parts {
  store: Pick<ConnectionStore, 'find'>;
  lists: Pick<Lists, 'accounts' | 'containers'>;
  report: (tenantId: string, fault: TagManagerFault) => Promise<void>;
  log: Pick<Logger, 'warn'>;
}

export type FirstLook = ReturnType<typeof createFirstLook>;

/** After a consent: whether that account sees anything, and what was chosen before. */
export function createFirstLook({ store, lists, report, log }: Parts) {
  const underWay = new Map<string, { looking: Promise<void> }>();

  async function findFault(tenantId: string): Promise<TagManagerFault | undefined> {
    const chosen = store.find(tenantId)?.chosen;
    if (!chosen) {
      const all = await lists.accounts(tenantId);
      return all.length > 0 ? undefined : faults.noAccounts();
    }
    const wrong = cannotSee({ ...chosen });
    try {
      const all = await lists.containers(tenantId, chosen.account_id);
      return all.some((one) => one.containerId === chosen.container_id) ? undefined : wrong;
    } catch (error) {
      const isHidden = error instanceof TagManagerFault && HIDDEN.has(error.code);
      if (isHidden) return wrong;
      throw error;
    }
  }

  async function look(tenantId: string, isLatest: () => boolean): Promise<void> {
    try {
      const fault = await findFault(tenantId);
      if (fault && isLatest()) await report(tenantId, fault);
    } catch (error) {
      if (!(error instanceof TagManagerFault)) {
        const name = error instanceof Error ? error.name : typeof error;
        log.warn({ tenantId, error: name }, 'The new tag-manager connection was not looked at');
      } else if (isLatest()) await report(tenantId, error);
    }
  }

  return {
    /** In the background: it waits for the quota like everything else. */
    begin(tenantId: string, then: () => Promise<void>): void {
      const entry = { looking: Promise.resolve() };
      underWay.set(tenantId, entry);
      const isLatest = () => underWay.get(tenantId) === entry;
      entry.looking = look(tenantId, isLatest)
        .then(then)
        .finally(() => {
          if (isLatest()) underWay.delete(tenantId);
        });
    },
    /** What it finds no longer matters. */
    forget: (tenantId: string): void => {
      underWay.delete(tenantId);
    },
    close: (): void => underWay.clear(),
    done: (tenantId: string): Promise<void> => underWay.get(tenantId)?.looking ?? Promise.resolve(),
  };
}

/** So the API answers about what an account has no part in. */
const HIDDEN = new Set(['no_permission', 'not_found']);
