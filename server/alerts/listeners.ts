import { createListeners } from '../platform/listeners.ts';
import type { Logger } from '../platform/log.ts';
import type { Alert } from './schema.ts';

export interface AlertNews {
  tenantId: string;
  alert: Alert;
  /** It is the first since its rule was last quiet. */
  begins: boolean;
}

/** Told of the alerts that a cycle made, all at once. */
export type AlertListener = (news: readonly AlertNews[]) => unknown;

/** Who within this process wants to hear of new alerts, and of what became of others. */
export function createAlertListeners(log: Pick<Logger, 'error'>) {
  const news = createListeners<readonly AlertNews[]>('new alerts', log);
  const changes = createListeners<undefined>('changed alerts', log);
  const changed = () => changes.tell(undefined);

  return {
    onAlert: (listener: AlertListener): (() => void) => news.add(listener),
    /** Alerts were made, got another state, or went. */
    onChanged: (listener: () => unknown): (() => void) => changes.add(() => listener()),

    made(all: readonly AlertNews[]): void {
      if (all.length === 0) return;
      news.tell(all);
      changed();
    },
    changed,
  };
}

export type AlertListeners = ReturnType<typeof createAlertListeners>;
