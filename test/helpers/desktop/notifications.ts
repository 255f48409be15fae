import type { Bus } from './bus.ts';
import { plain, record } from './bus.ts';

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';
const BY_A_PERSON = 2;

export interface Shown {
  id: number;
  title: string;
  body: string;
  actions: string[];
  hints: Record<string, unknown>;
  /** What takes its place or takes it away. */
  isGone: boolean;
}

/** A desktop that shows notifications: it keeps them all and can be clicked. */
export async function showNotifications(bus: Bus) {
  const shown: Shown[] = [];
  // Not by what is shown: a program may still know the number of one that was forgotten.
  let given = 0;

  await bus.offer(
    NAME,
    PATH,
    {
      name: NAME,
      methods: {
        Notify: ['susssasa{sv}i', 'u'],
        CloseNotification: ['u', ''],
        GetCapabilities: ['', 'as'],
        GetServerInformation: ['', 'ssss'],
      },
      signals: { ActionInvoked: ['us'], NotificationClosed: ['uu'] },
    },
    {
      Notify: (...[, replaces, , title, body, actions, hints]: unknown[]) => {
        const id = Number(replaces) || ++given;
        for (const old of shown) if (old.id === id) old.isGone = true;
        shown.push({
          id,
          title: String(title),
          body: String(body),
          actions: actions as string[],
          hints: record(plain(hints)),
          isGone: false,
        });
        return id;
      },
      CloseNotification: (id: number) => {
        for (const one of shown) if (one.id === id) one.isGone = true;
        bus.signal(PATH, NAME, 'NotificationClosed', 'uu', [id, 3]);
      },
      GetCapabilities: () => ['actions', 'body', 'body-markup', 'persistence'],
      GetServerInformation: () => ['Vedette tests', 'Vedette', '1', '1.2'],
    },
  );

  return {
    all: (): readonly Shown[] => shown,
    forget: () => {
      shown.length = 0;
    },
    click: ({ id }: Shown) => {
      bus.signal(PATH, NAME, 'ActionInvoked', 'us', [id, 'default']);
      bus.signal(PATH, NAME, 'NotificationClosed', 'uu', [id, BY_A_PERSON]);
    },
  };
}

export type Notifications = Awaited<ReturnType<typeof showNotifications>>;
