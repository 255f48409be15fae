import type { Sql } from '../platform/sql.ts';
import { conditions } from './record-store.ts';
import type { ListQuery } from './schema.ts';

/** Each step looks at less and finer; a millisecond is as fine as times are. */
const STEPS = [
  { unit: 'hour', ms: 3_600_000, counts: 'hours' },
  { unit: 'minute', ms: 60_000, counts: 'minutes' },
  { unit: 'millisecond', ms: 1, counts: undefined },
] as const;

/** The year 10000: later than anything that anybody asks for. */
const NEVER = 253_402_300_800_000;

/**
 * The same page, with as little as can be to pass over: who skips millions is led by the counts to
 * the millisecond in which the page begins. What is newer than that is left out instead of sorted.
 *
 * Counts stay when old events are deleted, which can only lead to where there is nothing any more.
 */
export async function landed(sql: Sql, tenant: string, query: ListQuery): Promise<ListQuery> {
  const { source, event_type, cursor } = query;
  const counts = conditions(tenant, { source, event_type });
  const events = conditions(tenant, query);
  let { skip } = query;
  let from = 0;
  // Some of the cursor's own millisecond are behind it.
  let until = Math.min(query.until ?? NEVER, (cursor?.at ?? NEVER) + 1);
  // Only up to here do the counts tell all; nowhere, where some are counted without their name.
  const told = (await isInRest(sql, tenant, counts.values))
    ? 0
    : Math.min(until, cursor?.at ?? NEVER);
  for (const { unit, ms, counts: table } of STEPS) {
    const cut = Math.max(from, Math.floor(Math.min(told, until) / ms) * ms);
    const counted = `SELECT start, events FROM ${table ?? ''} WHERE ${counts.where}
      AND start >= ${time(from)} AND start < ${time(cut)} UNION ALL`;
    const [stretch] = await sql.rows<{ start: number; events: number; passed: number }>(
      `SELECT epoch_ms(start)::DOUBLE AS start, events::DOUBLE AS events, passed::DOUBLE AS passed
       FROM (
         SELECT start, sum(events) AS events, sum(sum(events)) OVER (ORDER BY start DESC) AS passed
         FROM (
           ${table ? counted : ''}
           SELECT date_trunc('${unit}', received_at) AS start, 1 AS events FROM events
           WHERE ${events.where} AND received_at >= ${time(table ? cut : from)}
             AND received_at < ${time(until)}
         ) GROUP BY start
       ) WHERE passed - events <= ${skip} ORDER BY start LIMIT 1`,
      ...events.values,
    );
    if (!stretch) break;
    if (stretch.passed <= skip) {
      // The page is behind all that was found.
      skip -= stretch.passed;
      until = stretch.start;
      break;
    }
    skip -= stretch.passed - stretch.events;
    from = stretch.start;
    until = Math.min(until, from + ms);
  }
  return { ...query, skip, until };
}

/** Whether some of what is asked for by name may have been counted without one. */
async function isInRest(sql: Sql, tenant: string, { length }: readonly unknown[]) {
  if (length === 1) return false;
  const rest = await sql.rows(
    'SELECT 1 FROM series WHERE tenant = $1 AND source IS NULL LIMIT 1',
    tenant,
  );
  return rest.length > 0;
}

const time = (moment: number) => `make_timestamp_ms(${moment})`;
