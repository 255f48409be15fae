import type { Database } from '../platform/database.ts';
import { conditionsOf } from '../platform/sql.ts';
import type { SqlValue } from '../platform/sql.ts';
import { pointersTo } from './paths.ts';
import type { ListQuery } from './schema.ts';
import type { ListStore } from './list-store.ts';
import { cursorAfter, pageOf } from './pages.ts';
import type { Page, Place } from './pages.ts';
import { conditions, placesOf } from './record-store.ts';
import { spellingsOf } from './text.ts';

/** A search that has taken this long says how far it came. */
const SEARCH_MS = 2000;
/** How long one look should take, so that others come in between. */
const LOOK_MS = 100;
const FEWEST = 1000;
const MOST = 400_000;
/** Hours with more events are cut, so that a look is not larger than it should be. */
const CUT = 25_000;
const HOUR = 3_600_000;

export interface Found {
  page: Page;
  /** Events older than this were not looked at. */
  searchedUntil?: number;
}

/** Some time, which begins at `from`, and about how many events lie in it. */
interface Stretch {
  from: number;
  events: number;
}

/**
 * Lists events by what they carry, which no count and no range of a block can tell. It looks at a
 * stretch of time after the other, newest first, and ends with enough found or the time used up.
 */
export function createSearchStore(
  database: Database,
  { recordsAt }: Pick<ListStore, 'recordsAt'>,
  searchMs = SEARCH_MS,
) {
  const stretches = async (tenant: string, query: ListQuery) => {
    const { source, event_type } = query;
    // What is counted with the rest may be among it.
    const { where, values } = conditionsOf(tenant, [
      ['(source IS NULL OR source = ?)', source],
      ['(event_type IS NULL OR event_type = ?)', event_type],
    ]);
    const rows = await database.read((sql) =>
      sql.rows<Stretch>(
        `SELECT epoch_ms(start)::DOUBLE AS from, sum(events)::DOUBLE AS events FROM hours
         WHERE ${where} GROUP BY 1 ORDER BY 1 DESC`,
        ...values,
      ),
    );
    return rows.flatMap(cut).filter(({ from }) => from < (before(query) ?? Infinity));
  };

  return {
    async search(tenant: string, query: ListQuery): Promise<Found> {
      const began = performance.now();
      const ahead = await stretches(tenant, query);
      const places: Place[] = [];
      let { skip } = query;
      let until = before(query);
      let size = FEWEST * 4;

      const found = (searchedUntil?: number) =>
        pageOf(
          places,
          (some) => recordsAt(tenant, query, some),
          cursorAfter(places, query.limit),
        ).then((page) => ({ page, ...(searchedUntil !== undefined && { searchedUntil }) }));

      const look = (from: number | undefined) =>
        database.read(async (sql) => {
          const [where, values] = condition(tenant, { ...query, since: from, until });
          if (skip > 0) {
            const [row] = await sql.rows<{ count: number }>(
              `SELECT count(*)::DOUBLE AS count FROM events WHERE ${where}`,
              ...values,
            );
            const count = row?.count ?? 0;
            if (count <= skip) {
              skip -= count;
              return;
            }
          }
          const limit = query.limit - places.length;
          const rows = await sql.rows<Place>(placesOf('events', where, limit, skip), ...values);
          skip = 0;
          places.push(...rows);
        }, 'heavy');

      for (;;) {
        let next = ahead.shift();
        for (let events = next?.events ?? 0; next && ahead[0]; next = ahead.shift()) {
          events += ahead[0].events;
          if (events > size) break;
        }
        // Behind the last stretch lies what is older than the counts, if anything.
        const from = next && next.from > (query.since ?? 0) ? next.from : query.since;
        const lookBegan = performance.now();
        await look(from);
        const took = Math.max(performance.now() - lookBegan, 1);
        size = within(FEWEST, size * within(0.25, LOOK_MS / took, 4), MOST);
        until = from;
        if (places.length >= query.limit || from === query.since) return found();
        if (performance.now() - began > searchMs) return found(from ?? 0);
      }
    },
  };
}

export type SearchStore = ReturnType<typeof createSearchStore>;

/** The time that a search begins with and goes back from. */
const before = ({ until, cursor }: ListQuery) =>
  cursor ? Math.min(until ?? Infinity, cursor.at + 1) : until;

const within = (least: number, value: number, most: number) =>
  Math.min(Math.max(value, least), most);

function cut({ from, events }: Stretch): Stretch[] {
  const pieces = Math.ceil(events / CUT);
  return Array.from({ length: pieces }, (_, i) => ({
    from: from + Math.floor((HOUR * (pieces - 1 - i)) / pieces),
    events: events / pieces,
  }));
}

function condition(tenant: string, query: ListQuery): [condition: string, values: SqlValue[]] {
  const { where, values } = conditions(tenant, query);
  const all: SqlValue[] = [...values];
  const place = (value: string) => `$${all.push(value)}`;
  const wanted = [where];
  if (query.text !== undefined) {
    const places = spellingsOf(query.text).flatMap((spelling) => {
      const text = `lower(${place(spelling)})`;
      return ['data', 'event_type', 'context'].map((name) => `contains(lower(${name}), ${text})`);
    });
    wanted.push(`(${places.join(' OR ')})`);
  }
  if (query.missing !== undefined) {
    for (const pointer of pointersTo(query.missing)) {
      wanted.push(`json_extract_string(data, ${place(pointer)}) IS NULL`);
    }
  }
  return [wanted.join(' AND '), all];
}
