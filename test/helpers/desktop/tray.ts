import type { Bus } from './bus.ts';
import { record } from './bus.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ITEM = 'org.kde.StatusNotifierItem';
const MENU = 'com.canonical.dbusmenu';

export interface Entry {
  id: number;
  label: string;
  enabled: boolean;
  entries: Entry[];
}

interface Item {
  owner: string;
  path: string;
}

/** A desktop with a tray: it shows what registers with it, and can be clicked. */
export async function showTray(bus: Bus) {
  let items: Item[] = [];

  const DBUS = 'org.freedesktop.DBus';
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
        items.push({ owner: message.sender, path });
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

  function current(): Item {
    const item = items.at(-1);
    if (!item) throw new Error('Nothing stands in the tray');
    return item;
  }

  async function entries(): Promise<Entry[]> {
    const menu = await menuOf(current());
    const layout = { member: 'GetLayout', signature: 'iias', body: [0, -1, []] };
    const [, root] = await bus.call({ ...menu, ...layout });
    return entry(root).entries;
  }

  return {
    isThere: () => items.length > 0,
    entries,
    labels: async () => (await entries()).map(({ label }) => label),
    /** What a pointer over the icon reads. */
    tip: async () => String(((await get(current(), 'ToolTip')) as unknown[])[2]),
    property: (name: string) => get(current(), name),

    /** Chooses an entry of the menu by its words, or those of its parents and its own. */
    async choose(...words: readonly (string | RegExp)[]): Promise<void> {
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

    /** A click on the icon itself. */
    async click(): Promise<void> {
      const { owner: destination, path } = current();
      const message = { destination, path, interface: ITEM, member: 'Activate' };
      await bus.call({ ...message, signature: 'ii', body: [0, 0] });
    },
  };
}

export type TrayHost = Awaited<ReturnType<typeof showTray>>;

function find(entries: readonly Entry[], words: readonly (string | RegExp)[]): Entry {
  const [word, ...rest] = words;
  const isMeant = ({ label }: Entry) =>
    word instanceof RegExp ? word.test(label) : label === word;
  const found = entries.find(isMeant);
  if (!found) throw new Error(`No ${word} among ${entries.map(({ label }) => label).join(', ')}`);
  return rest.length > 0 ? find(found.entries, rest) : found;
}

function entry(layout: unknown): Entry {
  const [id, properties, children] = layout as [number, unknown, unknown[]];
  const { label = '', enabled = true } = record(properties);
  return {
    id,
    // One underline stands for the letter's key, two for an underline.
    label: String(label).replaceAll(/_(_?)/g, '$1'),
    enabled: enabled === true,
    entries: children.map(entry),
  };
}
