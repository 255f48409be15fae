import type { Migration } from '../platform/migrations.ts';

/**
 * No keys or indexes: ids are unique by construction, rows come in order of time, and the ranges
 * that DuckDB keeps for each block of rows do the rest. Tenants are text because filtering by
 * UUID is forty times slower. `bytes` is about what a record takes in an answer, so that a page is
 * planned without a look at what it holds.
 *
 * `series` has the names that are counted, `minutes` and `hours` their counts. Nobody can send NULL, so
 * it is the name of the rest: without a source, a type that came from others than those counted by
 * name; without either, whatever else there was.
 */
export const eventTables: readonly Migration[] = [
  {
    name: 'events-1',
    sql: `
      CREATE TABLE events (
        tenant VARCHAR NOT NULL,
        id UUID NOT NULL,
        received_at TIMESTAMP NOT NULL,
        source VARCHAR NOT NULL,
        event_type VARCHAR NOT NULL,
        data VARCHAR NOT NULL,
        context VARCHAR,
        bytes UINTEGER NOT NULL,
        segment UINTEGER NOT NULL
      );
      CREATE TABLE minutes (
        tenant VARCHAR NOT NULL,
        start TIMESTAMP NOT NULL,
        source VARCHAR,
        event_type VARCHAR,
        events BIGINT NOT NULL
      );
      CREATE TABLE hours (
        tenant VARCHAR NOT NULL,
        start TIMESTAMP NOT NULL,
        source VARCHAR,
        event_type VARCHAR,
        events BIGINT NOT NULL
      );
      CREATE TABLE series (
        tenant VARCHAR NOT NULL,
        source VARCHAR,
        event_type VARCHAR,
        first_seen TIMESTAMP NOT NULL,
        last_seen TIMESTAMP NOT NULL
      );
      CREATE TABLE refused (
        tenant VARCHAR NOT NULL,
        id UUID NOT NULL,
        received_at TIMESTAMP NOT NULL,
        endpoint VARCHAR NOT NULL,
        status USMALLINT NOT NULL,
        detail VARCHAR NOT NULL,
        errors VARCHAR NOT NULL,
        payload VARCHAR NOT NULL,
        bytes UINTEGER NOT NULL
      );
      CREATE TABLE segments (
        name VARCHAR NOT NULL,
        number UINTEGER NOT NULL
      );`,
  },
];

/** What they hold follows from the journal. */
export const journaledTables: readonly string[] = [
  ...['events', 'minutes', 'hours', 'series', 'refused', 'segments'],
];
