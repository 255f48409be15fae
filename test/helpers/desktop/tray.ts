import type { Bus } from './bus.ts';
import { DBUS, record } from './bus.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ITEM = 'org.kde.StatusNotifierItem';
const MENU = 'com.canonical.dbusmenu';

interface Entry {
  id: number;
  label: string;
}

interface Item {
  owner: string;
  path: string;
  pid: number;
}

/** A desktop with a tray: it shows what programs register with it, and can be clicked. */
export async function showTray(bus: Bus) {
  let items: Item[] = [];

  await bus.hear('/org/freedesktop/DBus', DBUS, 'NameOwnerChanged', ([name, , owner]) => {
    if (owner === '') items = items.filter((item) => item.owner !== name);
  });

  await bus.offer(
    WATCHER,
    '/StatusNotifierWatcher',
    {
      name: WATCHER,
      methods: {
        RegisterStatusNotifierItem: ['s', ''],
        RegisterStatusNotifierHost: ['s', ''],
      },
      properties: {
        IsStatusNotifierHostRegistered: 'b',
        ProtocolVersion: 'i',
        RegisteredStatusNotifierItems: 'as',
      },
    },
    {
      IsStatusNotifierHostRegistered: true,
      ProtocolVersion: 0,
      RegisteredStatusNotifierItems: [],
      RegisterStatusNotifierHost: () => undefined,
      RegisterStatusNotifierItem: (which: string, message: { sender: string }) => {
        // Some name themselves, some only their object.
        const path = which.startsWith('/') ? which : '/StatusNotifierItem';
        const owner = message.sender;
        void bus.pidOf(owner).then(
          (pid) => items.push({ owner, path, pid }),
          // It is gone already.
          () => undefined,
        );
      },
    },
  );

  const get = async (item: Item, name: string): Promise<unknown> => {
    const { owner: destination, path } = item;
    const message = { destination, path, interface: 'org.freedesktop.DBus.Properties' };
    const body = [ITEM, name];
    return (await bus.call({ ...message, member: 'Get', signature: 'ss', body }))[0];
  };

  async function menuOf(item: Item) {
    const path = String(await get(item, 'Menu'));
    return { destination: item.owner, path, interface: MENU };
  }

  /** What one program has there: the last, where it has come up anew. */
  return (pid: number) => {
    function current(): Item {
      const item = items.findLast((item) => item.pid === pid);
      if (!item) throw new Error('Nothing of it stands in the tray');
      return item;
    }

    async function entries(): Promise<Entry[]> {
      const menu = await menuOf(current());
      const layout = { member: 'GetLayout', signature: 'iias', body: [0, 1, []] };
      const [, root] = await bus.call({ ...menu, ...layout });
      const [, , children] = root as [number, unknown, unknown[]];
      return children.map(entry);
    }

    return {
      isThere: () => items.some((item) => item.pid === pid),
      labels: async () => (await entries()).map(({ label }) => label),
      /** What a pointer over the icon reads. */
      tip: async () => String(((await get(current(), 'ToolTip')) as unknown[])[2]),

      /** Chooses an entry of the menu by its words. */
      async choose(words: string | RegExp): Promise<void> {
        for (let tries = 1; ; tries++) {
          const { id } = find(await entries(), words);
          const body = [id, 'clicked', ['i', 0], 0];
          const menu = await menuOf(current());
          try {
            await bus.call({ ...menu, member: 'Event', signature: 'isvu', body });
            return;
          } catch (error) {
            // The menu was made anew between the look and the click.
            if (tries === 5 || !String(error).includes('occurred in Event')) throw error;
          }
        }
      },
    };
  };
}

function find(entries: readonly Entry[], words: string | RegExp): Entry {
  const found = entries.find(({ label }) =>
    words instanceof RegExp ? words.test(label) : label === words,
  );
  if (!found) throw new Error(`No ${words} among ${entries.map(({ label }) => label).join(', ')}`);
  return found;
}

function entry(layout: unknown): Entry {
  const [id, properties] = layout as [number, unknown];
  const { label = '' } = record(properties);
  // One underline stands for the letter's key, two for an underline.
  return { id, label: String(label).replaceAll(/_(_?)/g, '$1') };
}
