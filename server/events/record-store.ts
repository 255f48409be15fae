import type { Cursor } from '../http/schema.ts';
import { conditionsOf } from '../platform/sql.ts';
import type { SqlValue } from '../platform/sql.ts';
import type { Place } from './pages.ts';
import type { ListQuery } from './schema.ts';

/**
 * A record in pieces. The payload must reach the caller as it was sent, so it stays text; and it
 * may be large, so it is put between the others here and not copied about in the database.
 */
export const PIECES = `
  id::VARCHAR AS id, to_json(source) AS source, to_json(event_type) AS event_type, data, context,
  strftime(received_at, '%Y-%m-%dT%H:%M:%S.%gZ') AS created_at`;

export interface Pieces {
  id: string;
  /** As JSON, like the type. */
  source: string;
  event_type: string;
  data: string;
  context: string | null;
  created_at: string;
}

export function recordText({
  id,
  source,
  event_type: type,
  data,
  context,
  created_at: time,
}: Pieces): string {
  const more = context === null ? '' : `,"context":${context}`;
  return `{"id":"${id}","source":${source},"event_type":${type},"data":${data},"created_at":"${time}"${more}}`;
}

export const newestFirst = (table: string, limit: number, skip: number) =>
  `ORDER BY received_at DESC, ${table}.id DESC LIMIT ${limit} OFFSET ${skip}`;

/**
 * What a page is planned by: nothing of it is large. What comes before the page is sorted too, so
 * that only what is needed for it goes through the sorting.
 */
export const placesOf = (table: 'events' | 'refused', where: string, limit: number, skip: number) =>
  `SELECT id::VARCHAR AS id, epoch_ms(received_at)::DOUBLE AS at, bytes::DOUBLE AS bytes
   FROM (SELECT id, received_at, bytes FROM ${table}
         WHERE ${where} ${newestFirst(table, limit, skip)})`;

interface Conditions {
  where: string;
  values: SqlValue[];
}

export function conditions(
  tenant: string,
  query: Omit<ListQuery, 'skip' | 'limit' | 'cursor'> & { cursor?: Cursor | undefined },
): Conditions {
  const { cursor } = query;
  return conditionsOf(tenant, [
    ['source = ?', query.source],
    ['event_type = ?', query.event_type],
    ['received_at >= make_timestamp_ms(?::BIGINT)', query.since],
    ['received_at < make_timestamp_ms(?::BIGINT)', query.until],
    ...behind(cursor),
  ]);
}

/** Older than the place where a page ended. */
export const behind = (cursor: Cursor | undefined) =>
  [
    ['received_at <= make_timestamp_ms(?::BIGINT)', cursor?.at],
    [`(received_at < make_timestamp_ms(${cursor?.at ?? 0}) OR id < ?::UUID)`, cursor?.id],
  ] as const;

/** Those at these places, which must lie side by side if it is to be quick. */
export function at({ where, values }: Conditions, places: readonly Place[]): Conditions {
  const times = places.map((place) => place.at);
  const all = [...values, Math.min(...times), Math.max(...times)];
  all.push(places.map(({ id }) => id).join(','));
  const [from, to, ids] = [2, 1, 0].map((back) => `$${all.length - back}`);
  return {
    where: `${where} AND received_at >= make_timestamp_ms(${from}::BIGINT)
      AND received_at <= make_timestamp_ms(${to}::BIGINT)
      AND id IN (SELECT unnest(string_split(${ids}, ','))::UUID)`,
    values: all,
  };
}

/** What was found, in the order in which it was asked for. */
export function inOrder(
  places: readonly Place[],
  found: readonly { id: string; record: string }[],
): string[] {
  const records = new Map(found.map(({ id, record }) => [id, record]));
  return places.flatMap(({ id }) => records.get(id) ?? []);
}
