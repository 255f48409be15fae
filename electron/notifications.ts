import type { Notification, NotificationConstructorOptions } from 'electron';
import type { AlertNews } from '../server/alerts/listeners.ts';
import type { Severity } from '../server/rules/schema.ts';
import { asItIs, fitted, readable, type Escape } from '../server/webhooks/chat-text.ts';

export interface Place {
  path: string;
  tenantId: string | null;
}

export interface NotificationOptions {
  Notification: typeof Notification;
  isPaused: () => boolean;
  open: (where: Place) => void;
  icon: string | undefined;
  platform?: NodeJS.Platform;
}

export interface Notifications {
  alerts: (news: readonly AlertNews[]) => void;
  /** Whether it could be shown, for what is to be said once. */
  say: (title: string, body: string, path?: string) => boolean;
  /** Takes away what is still shown: a click on it would lead nowhere. */
  close: () => void;
}

interface Message {
  title: string;
  body: string;
  severity: Severity;
  where: Place;
}

const ONE_BY_ONE = 3;
const TITLE_LENGTH = 100;
const BODY_LENGTH = 300;
/** A message that left the screen may still be clicked in the system's list of them. */
const HELD = 50;

const SEVERITY = { critical: 'Critical', warning: 'Warning', info: 'Info' } as const;
/** What a server of notifications on Linux may read as markup; the title it never does. */
const MARKUP: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeMarkup: Escape = (char) => MARKUP[char] ?? char;

export function createNotifications(options: NotificationOptions): Notifications {
  const { isPaused, open, icon, platform = process.platform } = options;
  const isLinux = platform === 'linux';
  /** Without this they are collected, and a click on them does nothing. */
  const held = new Set<Notification>();

  function hold(notification: Notification): void {
    held.add(notification);
    for (const oldest of held) {
      if (held.size <= HELD) break;
      held.delete(oldest);
    }
  }

  function show({ title, body, severity, where }: Message): boolean {
    if (isPaused()) return false;
    const settings: NotificationConstructorOptions = {
      title: clipped(title, TITLE_LENGTH, asItIs),
      body: clipped(body, BODY_LENGTH, isLinux ? escapeMarkup : asItIs),
      silent: severity === 'info',
      ...(isLinux && severity === 'critical' ? { urgency: 'critical' as const } : {}),
      ...(icon === undefined ? {} : { icon }),
    };
    try {
      if (!options.Notification.isSupported()) return false;
      const notification = new options.Notification(settings);
      notification.on('click', () => {
        held.delete(notification);
        open(where);
      });
      notification.on('failed', () => held.delete(notification));
      hold(notification);
      notification.show();
      return true;
    } catch {
      // Where the system cannot show any, the tray and the dashboard still say it.
      return false;
    }
  }

  return {
    alerts: (news) => {
      const begun = news.filter(({ begins }) => begins);
      if (begun.length > ONE_BY_ONE) show(summary(begun));
      else for (const one of begun) show(ofAlert(one));
    },
    say: (title, body, path = '/') =>
      show({ title, body, severity: 'warning', where: { path, tenantId: null } }),
    close: () => {
      for (const notification of held) notification.close();
      held.clear();
    },
  };
}

function ofAlert({ tenantId, alert }: AlertNews): Message {
  const { severity, rule_name: name, message, id } = alert;
  return {
    title: `${SEVERITY[severity]}: ${readable(name) || 'a rule without a name'}`,
    body: message,
    severity,
    where: { path: `/alerts/${encodeURIComponent(id)}`, tenantId },
  };
}

/** As in '7 new alerts: 3 critical, 4 warnings', and below it which rules they are of. */
function summary(news: readonly AlertNews[]): Message {
  const count = { critical: 0, warning: 0, info: 0 };
  for (const { alert } of news) count[alert.severity]++;
  const parts = [
    count.critical > 0 ? `${count.critical} critical` : '',
    count.warning > 0 ? `${count.warning} ${count.warning === 1 ? 'warning' : 'warnings'}` : '',
    count.info > 0 ? `${count.info} info` : '',
  ];
  const tenants = new Set(news.map(({ tenantId }) => tenantId));
  const [tenantId = null] = tenants;
  return {
    title: `${news.length} new alerts: ${parts.filter((part) => part !== '').join(', ')}`,
    body: ruleNames(news),
    severity: count.critical > 0 ? 'critical' : count.warning > 0 ? 'warning' : 'info',
    where: { path: '/alerts', tenantId: tenants.size === 1 ? tenantId : null },
  };
}

function ruleNames(news: readonly AlertNews[]): string {
  const names = [...new Set(news.map(({ alert }) => alert.rule_name))];
  const first = names.slice(0, ONE_BY_ONE).map((name) => clipped(name, 60, asItIs));
  const more = names.length - first.length;
  return first.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Of strangers' text: one line, of what can be seen, read from left to right as it stands. */
function clipped(text: string, limit: number, escape: Escape): string {
  const line = readable(text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')).replace(/\s+/g, ' ');
  return fitted(line, limit, escape);
}
