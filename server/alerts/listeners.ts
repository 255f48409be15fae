import type { Logger } from '../platform/log.ts';
import type { Alert } from './schema.ts';

/** Told of the alerts that a cycle made, all at once. */
export type AlertListener = (alerts: readonly Alert[]) => unknown;

/** Who within this process wants to hear of new alerts, as the desktop shell does. */
export function createAlertListeners(log: Pick<Logger, 'error'>) {
  const listeners = new Set<AlertListener>();

  /** What goes wrong there, at once or later, is not the matter of whoever tells it. */
  async function tellOne(listener: AlertListener, alerts: readonly Alert[]): Promise<void> {
    try {
      await listener(alerts);
    } catch (error) {
      log.error({ err: error }, 'A listener for new alerts failed');
    }
  }

  return {
    /** Returns what takes the listener away again. */
    add: (listener: AlertListener): (() => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell: (alerts: readonly Alert[]): void => {
      if (alerts.length === 0) return;
      for (const listener of listeners) void tellOne(listener, alerts);
    },
  };
}

export type AlertListeners = ReturnType<typeof createAlertListeners>;
