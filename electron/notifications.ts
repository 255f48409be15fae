import type { Notification } from 'electron';
import type { Alert } from '../server/alerts/schema.ts';

export interface AlertNews {
  tenantId: string;
  alert: Alert;
  /** The first alert since its rule was last quiet. */
  begins: boolean;
}

export interface NotificationOptions {
  Notification: typeof Notification;
  isPaused: () => boolean;
  open: (where: { path: string; tenantId: string | null }) => void;
  icon: string | undefined;
  platform?: NodeJS.Platform;
}

export interface Notifications {
  alerts(news: readonly AlertNews[]): void;
  say(title: string, body: string, path?: string): void;
  close(): void;
}

export function createNotifications(options: NotificationOptions): Notifications {
  void options;
  return { alerts: () => undefined, say: () => undefined, close: () => undefined };
}
