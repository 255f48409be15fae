import { PIECE_BYTES } from '../platform/bounds.ts';
import type { Database } from '../platform/database.ts';
import { conditionsOf } from '../platform/sql.ts';
import type { CursorPaging } from '../http/schema.ts';
import { landed } from './landing-store.ts';
import { cursorAfter, pageOf } from './pages.ts';
import type { Page, Place } from './pages.ts';
import { at, behind, conditions, inOrder, newestFirst } from './record-store.ts';
import { PIECES, placesOf, recordText } from './record-store.ts';
import type { Pieces } from './record-store.ts';
import type { EventFilter, ListQuery } from './schema.ts';

/** To pass over more than this takes long, so the page is searched for by the counts. */
const DEEP = 10_000;

export function createListStore(database: Database, deep = DEEP) {
  /** The records of a tenant at these places, all of which the filter lets through. */
  async function recordsAt(tenant: string, filter: EventFilter, places: readonly Place[]) {
    if (places.length === 0) return [];
    const { where, values } = at(conditions(tenant, filter), places);
    const rows = await database.read((sql) =>
      sql.rows<Pieces>(`SELECT ${PIECES} FROM events WHERE ${where}`, ...values),
    );
    return inOrder(
      places,
      rows.map((row) => ({ id: row.id, record: recordText(row) })),
    );
  }

  async function refusedAt(tenant: string, places: readonly Place[]) {
    if (places.length === 0) return [];
    const { where, values } = at({ where: 'tenant = $1', values: [tenant] }, places);
    const rows = await database.read((sql) =>
      sql.rows<{ id: string; record: string }>(
        `SELECT id::VARCHAR AS id,
                '{"id":"' || id || '","endpoint":"' || endpoint || '","status":' || status
                || ',"detail":' || to_json(detail) || ',"errors":' || errors
                || ',"payload":' || to_json(payload)
                || ',"created_at":"' || strftime(received_at, '%Y-%m-%dT%H:%M:%S.%gZ') || '"}' AS record
         FROM refused WHERE ${where}`,
        ...values,
      ),
    );
    return inOrder(places, rows);
  }

  return {
    recordsAt,

    async list(tenant: string, query: ListQuery): Promise<Page> {
      const { limit } = query;
      const isDeep = query.skip > deep;
      const found = await database.read(
        async (sql) => {
          const near = isDeep ? await landed(sql, tenant, query) : query;
          const { skip } = near;
          const { where, values } = conditions(tenant, near);
          // Nearly always all of them are small, and then one look is enough.
          const large = await sql.rows(
            `SELECT 1 FROM events WHERE ${where} AND bytes > ${Math.floor(PIECE_BYTES / (skip + limit))} LIMIT 1`,
            ...values,
          );
          if (large.length > 0) {
            return {
              places: await sql.rows<Place>(placesOf('events', where, limit, skip), ...values),
            };
          }
          const whole = `SELECT ${PIECES} FROM events WHERE ${where} ${newestFirst('events', limit, skip)}`;
          return { rows: await sql.rows<Pieces>(whole, ...values) };
        },
        isDeep ? 'heavy' : undefined,
      );
      if (found.places) {
        const fetch = (places: readonly Place[]) => recordsAt(tenant, query, places);
        return pageOf(found.places, fetch, cursorAfter(found.places, limit));
      }
      const { rows } = found;
      const times = rows.map(({ id, created_at }) => ({ id, at: Date.parse(created_at) }));
      return { body: `[${rows.map(recordText).join(',')}]`, next: cursorAfter(times, limit) };
    },

    one: (tenant: string, id: string): Promise<string | undefined> =>
      database.read(async (sql) => {
        // Ids rise as rows do, so only the block that can hold it is opened.
        const [pieces] = await sql.rows<Pieces>(
          `SELECT ${PIECES} FROM events WHERE tenant = $1 AND events.id = $2::UUID LIMIT 1`,
          tenant,
          id,
        );
        return pieces && recordText(pieces);
      }),

    async refused(tenant: string, { skip, limit, cursor }: CursorPaging): Promise<Page> {
      const { where, values } = conditionsOf(tenant, behind(cursor));
      const places = await database.read((sql) =>
        sql.rows<Place>(placesOf('refused', where, limit, skip), ...values),
      );
      return pageOf(places, (some) => refusedAt(tenant, some), cursorAfter(places, limit));
    },
  };
}

export type ListStore = ReturnType<typeof createListStore>;
