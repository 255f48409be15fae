import type { Clock } from '../../platform/clock.ts';
import type { Account, Api, Container, ContainerPlace, Workspace } from '../api/api.ts';
import type { AccountQuery } from './schema.ts';

interface Parts {
  apiFor: (tenantId: string) => Pick<Api, 'accounts' | 'containers' | 'workspaces'>;
  clock: Clock;
}

interface Reading {
  at: number;
  rows: Promise<unknown[]>;
  isDone: boolean;
}

export type Lists = ReturnType<typeof createLists>;

const KEPT_MS = 5 * 60_000;
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** What there is to choose from: read whole, since the API cannot search, and kept for a while. */
export function createLists({ apiFor, clock }: Parts) {
  const readings = new Map<string, Reading>();

  /** Two who ask at once wait for one reading. */
  function read<T extends { name: string }>(
    [tenantId, ...path]: [string, ...string[]],
    ask: (api: ReturnType<Parts['apiFor']>) => Promise<T[]>,
    isAnew: boolean | undefined,
  ): Promise<T[]> {
    const key = [tenantId, ...path].join('/');
    const known = readings.get(key);
    const isFresh = known && isYoung(known) && !(isAnew && known.isDone);
    if (isFresh) return known.rows as Promise<T[]>;
    for (const [other, reading] of readings) if (!isYoung(reading)) readings.delete(other);
    const rows = ask(apiFor(tenantId)).then((all) =>
      all.toSorted((a, b) => byName.compare(a.name, b.name)),
    );
    const reading: Reading = { at: clock.now(), rows, isDone: false };
    readings.set(key, reading);
    rows.then(
      () => (reading.isDone = true),
      () => readings.get(key) === reading && readings.delete(key),
    );
    return rows;
  }

  const isYoung = ({ at }: Reading) => clock.now() - at < KEPT_MS && clock.now() >= at;

  return {
    accounts: (tenantId: string, refresh?: boolean): Promise<Account[]> =>
      read([tenantId, 'accounts'], (api) => api.accounts(), refresh),
    containers: (tenantId: string, accountId: string, refresh?: boolean): Promise<Container[]> =>
      read([tenantId, 'containers', accountId], (api) => api.containers(accountId), refresh),
    workspaces: (
      tenantId: string,
      { accountId, containerId }: ContainerPlace,
      refresh?: boolean,
    ): Promise<Workspace[]> =>
      read(
        [tenantId, 'workspaces', accountId, containerId],
        (api) => api.workspaces({ accountId, containerId }),
        refresh,
      ),
    /** Who is connected next may see others. */
    forget(tenantId: string): void {
      for (const key of readings.keys()) if (key.startsWith(`${tenantId}/`)) readings.delete(key);
    },
  };
}

/** The part of a list that was asked for, by words in what names each of them. */
export function partOf<T>(
  all: readonly T[],
  { search = '', skip, limit }: Pick<AccountQuery, 'search' | 'skip' | 'limit'>,
  namesOf: (one: T) => string[],
): T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMeant = (one: T) => {
    const text = namesOf(one).join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return all.filter(isMeant).slice(skip, skip + limit);
}
