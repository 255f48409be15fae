import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBConnection } from '@duckdb/node-api';
import { twoTenants } from './accounts.ts';
import { startAppliance } from './children.ts';

/** A data directory with a month of events in it, and who may read them. */
export interface Filled {
  dir: string;
  /** Has nearly all of the events. */
  key: string;
  /** Another tenant, with one event in sixteen. */
  otherKey: string;
}

const DAY = 86_400_000;
export const DAYS = 30;
export const COMMON_TYPE = 'page_view';
/** One event in 200,000. */
export const RARE_TYPE = 'chargeback';
/** One event in 100,000. */
export const RARE_SOURCE = 'kiosk';

/** What comes from where, and how often of 1024 events. */
const STREAMS: [source: string, type: string, share: number][] = [
  ['gtm', COMMON_TYPE, 420],
  ['gtm', 'view_item', 170],
  ['gtm', 'scroll', 90],
  ['gtm', 'search', 30],
  ['gtm', 'add_to_cart', 46],
  ['gtm', 'begin_checkout', 14],
  ['gtm', 'purchase', 8],
  ['app', COMMON_TYPE, 80],
  ['app', 'view_item', 40],
  ['app', 'add_to_cart', 12],
  ['app', 'purchase', 3],
  ['app', 'crash', 2],
  ['backend', 'purchase', 11],
  ['backend', 'payment_failed', 2],
  ['backend', 'refund', 1],
  ['backend', 'stock_changed', 60],
  ['backend', 'login', 20],
  ['newsletter', 'sign_up', 3],
  ['newsletter', 'open', 10],
  ['website', 'error', 2],
];

const SEGMENT_EVENTS = 5000;

/**
 * Lets the appliance make its own tables and settings, then writes events and everything that
 * follows from them straight into the tables, as thousands of flushes over a month would have.
 */
export async function fill(
  dir: string,
  events: number,
  progress: (text: string) => void,
): Promise<Filled> {
  const since = performance.now();
  const server = await startAppliance(dir);
  const [tenant, other] = await twoTenants(server);
  await server.stop();
  if (!tenant || !other) throw new Error('Two tenants were expected');

  const instance = await DuckDBInstance.create(path.join(dir, 'events.duckdb'));
  const connection = await instance.connect();
  try {
    await connection.run('BEGIN TRANSACTION');
    await prepareMoments(connection, events);
    await prepareStreams(connection);
    await connection.run(insertEvents(tenant.id, other.id));
    await connection.run(ROLL_UP);
    await connection.run('COMMIT');
    await connection.run('CHECKPOINT');
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
  progress(`${events} events written in ${((performance.now() - since) / 1000).toFixed(0)} s`);
  return { dir, key: tenant.key, otherKey: other.key };
}

/** When the events come: by day quiet nights and busy evenings, by week busy Sundays. */
async function prepareMoments(connection: DuckDBConnection, events: number): Promise<void> {
  const end = Math.floor(Date.now() / 60_000) * 60_000;
  await connection.run(`
    CREATE TEMP TABLE busy AS
    WITH weights AS (
      SELECT start,
             (1.1 + sin((hour(start) * 60 + minute(start) - 600) * 2 * pi() / 1440)
                  + 0.3 * sin((hour(start) * 60 + minute(start) - 900) * 4 * pi() / 1440))
             * CASE dayofweek(start) WHEN 0 THEN 1.3 WHEN 6 THEN 1.15 ELSE 1 END AS weight
      FROM (
        SELECT make_timestamp_ms(${end - DAYS * DAY} + minute * 60000) AS start
        FROM range(${DAYS * 1440}) AS minutes(minute)
      )
    ), sums AS (
      SELECT start, sum(weight) OVER (ORDER BY start) / sum(weight) OVER () AS upto FROM weights
    )
    SELECT start, (upto * ${events})::BIGINT AS upto,
           (upto * ${events})::BIGINT - coalesce(lag((upto * ${events})::BIGINT) OVER (ORDER BY start), 0) AS events
    FROM sums ORDER BY start`);
  // A table of its own, since one as large as this is read by all cores.
  await connection.run(`
    CREATE TEMP TABLE moments AS
    SELECT before + place AS n, epoch_ms(start) + place * 60000 // events AS ms
    FROM (SELECT start, events, upto - events AS before, unnest(range(events)) AS place FROM busy)`);
}

async function prepareStreams(connection: DuckDBConnection): Promise<void> {
  const values = STREAMS.map(([source, type, share]) => `('${source}', '${type}', ${share})`);
  await connection.run(`
    CREATE TEMP TABLE streams AS
    SELECT (row_number() OVER () - 1)::BIGINT AS slot, source, event_type
    FROM (VALUES ${values.join(', ')}) AS streams(source, event_type, share), range(share)`);
}

/** In order of time, as they would have come: the ranges kept for blocks of rows depend on it. */
function insertEvents(tenant: string, other: string): string {
  return `
    INSERT INTO events
    SELECT * EXCLUDE (segment), strlen(data) + coalesce(strlen(context), 0), segment FROM (SELECT CASE WHEN dice >> 60 = 0 THEN '${other}' ELSE '${tenant}' END AS tenant,
           (printf('%012x7%03x', ms, n % 4096) || substr(printf('8%016x', dice), 1, 16))::UUID,
           make_timestamp_ms(ms),
           CASE WHEN n % 100000 = 99 THEN '${RARE_SOURCE}' ELSE source END,
           CASE WHEN n % 200000 = 777 THEN '${RARE_TYPE}' ELSE event_type END,
           '{"client_id":"' || dice % 9999999967 || '.' || 1780000000 + dice % 5000011
             || '","page":"/p/' || dice % 4999 || '","currency":"EUR","value":' || dice % 29989 / 100
             || ',"items":[{"item_id":"SKU-' || dice % 4999 || '","item_name":"Field notebook, dotted","price":'
             || dice % 9973 / 100 || ',"quantity":' || 1 + dice % 3 || '}],"coupon":null}' AS data,
           CASE WHEN source = 'gtm' THEN '{"source_id":"GTM-K7VQ2XN","timestamp":' || ms - dice % 900
             || ',"metadata":{"container_version":"41","page_url":"https://shop.example/p/' || dice % 4999 || '"}}' END AS context,
           1 + n // ${SEGMENT_EVENTS} AS segment
    FROM (SELECT n, ms, hash(n) AS dice FROM moments) JOIN streams ON streams.slot = dice % 1024)`;
}

/** What flushes would have left behind; of the segments only the last one's name is remembered. */
const ROLL_UP = `
  INSERT INTO minutes
    SELECT tenant, date_trunc('minute', received_at) AS start, source, event_type, count(*)
    FROM events GROUP BY ALL ORDER BY start;
  INSERT INTO hours
    SELECT tenant, date_trunc('hour', start) AS start, source, event_type, sum(events)
    FROM minutes GROUP BY ALL ORDER BY start;
  INSERT INTO series
    SELECT tenant, source, event_type, min(received_at), max(received_at) FROM events GROUP BY ALL;
  INSERT INTO listening
    SELECT min(received_at), max(received_at) FROM events;
  INSERT INTO segments
    SELECT printf('%015d-000000000000', epoch_ms(max(received_at))), max(segment) FROM events;`;
