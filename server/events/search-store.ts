import type { Database } from '../platform/database.ts';
import { createMutex } from '../platform/mutex.ts';
import { conditionsOf } from '../platform/sql.ts';
import type { SqlValue } from '../platform/sql.ts';
import { pointersTo } from './paths.ts';
import type { ListQuery } from './schema.ts';
import { conditions, listText, PIECES, recordText } from './store.ts';
import type { Pieces } from './store.ts';
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
  /** The records, as JSON. */
  text: string;
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
export function createSearchStore(database: Database, searchMs = SEARCH_MS) {
  // One look at a time, so that a reader is always left for everybody else.
  const inTurn = createMutex();

  const stretches = async (tenant: string, { source, event_type, until }: ListQuery) => {
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
    return rows.flatMap(cut).filter(({ from }) => from < (until ?? Infinity));
  };

  return {
    /** `isWanted` is asked between looks, since who types on waits no longer for the last search. */
    async search(
      tenant: string,
      query: ListQuery,
      isWanted: () => boolean = () => true,
    ): Promise<Found> {
      const began = performance.now();
      const ahead = await stretches(tenant, query);
      const records: string[] = [];
      let { skip, until } = query;
      let size = FEWEST * 4;

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
          const rows = await sql.rows<Pieces>(
            `SELECT ${PIECES} FROM events WHERE ${where}
             ORDER BY received_at DESC, events.id DESC LIMIT ${query.limit - records.length} OFFSET ${skip}`,
            ...values,
          );
          skip = 0;
          for (const row of rows) records.push(recordText(row));
        });

      for (;;) {
        let next = ahead.shift();
        for (let events = next?.events ?? 0; next && ahead[0]; next = ahead.shift()) {
          events += ahead[0].events;
          if (events > size) break;
        }
        // Behind the last stretch lies what is older than the counts, if anything.
        const from = next && next.from > (query.since ?? 0) ? next.from : query.since;
        const lookBegan = performance.now();
        await inTurn(() => look(from));
        const took = Math.max(performance.now() - lookBegan, 1);
        size = within(FEWEST, size * within(0.25, LOOK_MS / took, 4), MOST);
        until = from;
        if (records.length >= query.limit || from === query.since) {
          return { text: listText(records) };
        }
        if (performance.now() - began > searchMs || !isWanted()) {
          return { text: listText(records), searchedUntil: from ?? 0 };
        }
      }
    },
  };
}

export type SearchStore = ReturnType<typeof createSearchStore>;

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
