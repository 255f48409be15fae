import { expect, it, vi } from 'vitest';
import { createNotifications, type NotificationOptions } from '../../electron/notifications.ts';
import type { AlertNews } from '../../server/alerts/listeners.ts';
import type { Alert } from '../../server/alerts/schema.ts';
import { anAlert } from '../helpers/alerts.ts';
import { FakeNotification, notificationParts } from '../helpers/electron-parts.ts';
import { HOSTILE } from '../helpers/hostile.ts';

const news = (alert: Partial<Alert> = {}, given: Partial<AlertNews> = {}): AlertNews => ({
  ...{ tenantId: 'shop', alert: anAlert(alert), begins: true },
  ...given,
});
const many = (count: number, alert: Partial<Alert> = {}) =>
  Array.from({ length: count }, () => news(alert));

function shell(given: Partial<NotificationOptions> = {}) {
  const opened: object[] = [];
  const notifications = createNotifications({
    Notification: notificationParts(),
    isPaused: () => false,
    open: (where) => opened.push(where),
    icon: undefined,
    platform: 'linux',
    ...given,
  });
  const shown = () => FakeNotification.made.map(({ options }) => options);
  return { notifications, opened, shown };
}

it('says which rule and what it found, and opens that alert by a click', () => {
  const { notifications, opened, shown } = shell({ icon: '/icons/app.png' });
  const one = news({ severity: 'critical' });
  notifications.alerts([one]);
  expect(shown()).toEqual([
    {
      title: 'Critical: Too few purchases',
      body: 'Threshold exceeded: 3 &lt; 10 in 60 min window',
      silent: false,
      urgency: 'critical',
      icon: '/icons/app.png',
    },
  ]);
  FakeNotification.made[0]?.emit('click');
  expect(opened).toEqual([{ path: `/alerts/${one.alert.id}`, tenantId: 'shop' }]);
});

it('is only as loud as the alert is severe', () => {
  const { notifications, shown } = shell();
  notifications.alerts([news({ severity: 'warning' }), news({ severity: 'info' })]);
  expect(shown().map(({ silent, urgency }) => [silent, urgency])).toEqual([
    [false, undefined],
    [true, undefined],
  ]);
});

it('leaves urgency and markup to systems that know neither', () => {
  const { notifications, shown } = shell({ platform: 'win32' });
  notifications.alerts([news({ severity: 'critical' })]);
  expect(shown()[0]).not.toHaveProperty('urgency');
  expect(shown()[0]?.body).toBe('Threshold exceeded: 3 < 10 in 60 min window');
});

it('says only what begins', () => {
  const { notifications, shown } = shell();
  notifications.alerts([news({}, { begins: false }), ...many(3), news({}, { begins: false })]);
  expect(shown()).toHaveLength(3);
  notifications.alerts([]);
  expect(shown()).toHaveLength(3);
});

it('gathers more than three in one, which opens the list', () => {
  const { notifications, opened, shown } = shell();
  notifications.alerts([
    ...many(3, { severity: 'critical', rule_name: 'Too few purchases' }),
    ...['A', 'B', 'C'].map((rule_name) => news({ rule_name })),
    news({ rule_name: 'D' }, { tenantId: 'shop' }),
  ]);
  expect(shown()).toMatchObject([
    {
      title: '7 new alerts: 3 critical, 4 warnings',
      body: 'Too few purchases, A, B and 2 more',
      urgency: 'critical',
    },
  ]);
  FakeNotification.made[0]?.emit('click');
  expect(opened).toEqual([{ path: '/alerts', tenantId: 'shop' }]);
});

it('chooses no tenant for alerts of several', () => {
  const { notifications, opened, shown } = shell();
  notifications.alerts([
    ...many(3, { severity: 'info' }),
    news({ severity: 'info' }, { tenantId: 'other' }),
  ]);
  FakeNotification.made[0]?.emit('click');
  expect(opened).toEqual([{ path: '/alerts', tenantId: null }]);
  expect(shown()[0]).toMatchObject({ title: '4 new alerts: 4 info', silent: true });
});

it('shows nothing while paused, and again after that', () => {
  let isPaused = true;
  const { notifications, shown } = shell({ isPaused: () => isPaused });
  notifications.alerts(many(5));
  notifications.alerts(many(1));
  expect(notifications.say('Vedette is still running', 'Open it from the tray.')).toBe(false);
  expect(shown()).toEqual([]);
  isPaused = false;
  notifications.alerts(many(1));
  expect(shown()).toHaveLength(1);
});

it.each([HOSTILE, '<b>bold</b> & <a href="x">link</a>', '&lt;img src=x&gt;'])(
  'takes away the meaning of markup in %j',
  (text) => {
    const { notifications, shown } = shell();
    notifications.alerts([news({ message: text })]);
    notifications.alerts(many(4, { rule_name: text }));
    for (const { body = '' } of shown()) {
      expect(body).not.toMatch(/[<>]/);
      expect(body.replace(/&(amp|lt|gt);/g, '')).not.toContain('&');
    }
    const read = (shown()[0]?.body ?? '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    expect(read).toBe(text);
  },
);

it('cuts what is too long at whole characters, and between what stands for one', () => {
  const { notifications, shown } = shell();
  notifications.alerts([
    news({ rule_name: 'x' + '🦆'.repeat(200), message: 'x' + '🦆'.repeat(5000) }),
    news({ rule_name: '&'.repeat(500), message: 'x' + '&'.repeat(5000) }),
  ]);
  for (const { title = '', body = '' } of shown()) {
    expect(title.length).toBeLessThanOrEqual(100);
    expect(body.length).toBeLessThanOrEqual(300);
    expect(title.isWellFormed() && body.isWellFormed()).toBe(true);
  }
  expect(shown()[1]?.body).toMatch(/^x(&amp;)+…$/);
});

it('shows one line without what cannot be seen, or would turn it around', () => {
  const { notifications, shown } = shell();
  notifications.alerts([
    news({ rule_name: 'one\n\ttwo\u0000\u202e', message: '\u202etxt.exe\u2066 \ud800' }),
    news({ rule_name: '\u200b \n' }),
  ]);
  expect(shown()[0]).toMatchObject({ title: 'Warning: one two', body: 'txt.exe \ufffd' });
  expect(shown()[1]?.title).toBe('Warning: a rule without a name');
});

it('says what the shell has to say, and opens the page that goes with it', () => {
  const { notifications, opened } = shell();
  notifications.say('Vedette is still running', 'Open it from the tray.');
  const isShown = notifications.say('An update is ready', 'Restart.', '/settings/desktop');
  expect(isShown).toBe(true);
  for (const one of FakeNotification.made) one.emit('click');
  expect(opened).toEqual([
    { path: '/', tenantId: null },
    { path: '/settings/desktop', tenantId: null },
  ]);
});

it('does nothing where notifications are not to be had, or cannot be made', () => {
  const { notifications, shown } = shell();
  FakeNotification.supported = false;
  notifications.alerts(many(1));
  expect(shown()).toEqual([]);
  FakeNotification.supported = true;
  vi.spyOn(FakeNotification.prototype, 'show').mockImplementation(() => {
    throw new Error('no bus');
  });
  expect(() => notifications.alerts(many(1))).not.toThrow();
});

it('takes away the latest ones at the end, however many there were', () => {
  const { notifications } = shell();
  for (let i = 0; i < 120; i++) notifications.alerts(many(1));
  FakeNotification.made.at(-1)?.emit('click');
  notifications.close();
  const closed = FakeNotification.made.map(({ isClosed }) => isClosed);
  expect(closed.filter(Boolean)).toHaveLength(49);
  expect(closed.at(-1)).toBe(false);
  expect(closed.at(-2)).toBe(true);
});
