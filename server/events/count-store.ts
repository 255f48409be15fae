import type { Database } from '../platform/database.ts';
import { problems } from '../platform/errors.ts';
import { createMarks, isWhole, minuteOf } from './marks.ts';
import type { Segment } from './marks.ts';
import type { NameStore } from './names-store.ts';
import type { Answer, Question } from './questions.ts';
import { addUp, entry } from './sums.ts';
import type { CountRow } from './sums.ts';

/** Minutes that one statement looks at; each is a small look of its own. */
const MINUTES_AT_ONCE = 50;
/** With more of them, one look at all events is faster. */
const MAX_MINUTES = 400;

/**
 * Counts events in any number of windows with a handful of queries. Whole minutes come from the
 * counts kept with each flush; only what lies in a cut minute is looked up among the events, and what
 * may have been counted without its name.
 */
export function createCountStore(database: Database, names: Pick<NameStore, 'told'>) {
  const fromCounts = (questions: readonly Question[], segments: readonly Segment[]) =>
    database.read(async (sql) => {
      const types = typesText(questions);
      const whole = segments.filter((segment) => !isCut(segment));
      const cut = segments.filter(isCut);
      const rows =
        whole.length > 0 ? await sql.rows<CountRow>(WHOLE_MINUTES, types, segmentsText(whole)) : [];
      const minutes = byMinute(cut);
      if (minutes.length > MAX_MINUTES) {
        return rows.concat(await sql.rows<CountRow>(everyEvent(cut), types, segmentsText(cut)));
      }
      for (let i = 0; i < minutes.length; i += MINUTES_AT_ONCE) {
        const some = minutes.slice(i, i + MINUTES_AT_ONCE);
        for (const row of await sql.rows<CountRow>(cutMinutes(some), types)) rows.push(row);
      }
      return rows;
    }, 'heavy');

  const fromEvents = (questions: readonly Question[], segments: readonly Segment[]) =>
    database.read(
      (sql) =>
        sql.rows<CountRow>(everyEvent(segments), typesText(questions), segmentsText(segments)),
      'heavy',
    );

  async function counted(questions: readonly Question[], read: typeof fromCounts) {
    if (questions.length === 0) return [];
    const marks = createMarks(questions);
    const sums = await addUp(await read(questions, marks.segments()), marks);
    return questions.map(({ tenant, event_type: type, source, ...window }) =>
      sums.countIn(tenant, type, source, window),
    );
  }

  return {
    async counts(questions: readonly Question[]): Promise<Answer[]> {
      if (questions.length === 0) return [];
      const told = await names.told(questions);
      const answers = new Map<Question, number>();
      for (const [by, read] of [
        ['by counts', fromCounts],
        ['by events', fromEvents],
      ] as const) {
        const those = questions.filter((_, i) => told[i] === by);
        const found = await counted(those, read);
        those.forEach((question, i) => answers.set(question, found[i] ?? 0));
      }
      return questions.map((question) => answers.get(question) ?? problems.countedWithOthers());
    },
  };
}

export type CountStore = ReturnType<typeof createCountStore>;

/** Packed as JSON, which costs a tenth of what rows do. */
const packed = (counted: string) => `
  WITH asked AS (
    SELECT pair.tenant, pair.event_type
    FROM (SELECT unnest(from_json($1, '[{"tenant":"VARCHAR","event_type":"VARCHAR"}]')) AS pair)
  )
  SELECT tenant, to_json(event_type) AS event_type, to_json(source) AS source,
         to_json(list([segment, events])) AS counts
  FROM (${counted}) GROUP BY ALL`;

const SEGMENTS = `(
  SELECT part.n AS segment, part.f AS begin_ms, part.t AS end_ms
  FROM (SELECT unnest(from_json($2, '[{"n":"INTEGER","f":"BIGINT","t":"BIGINT"}]')) AS part))`;

const WHOLE_MINUTES = packed(`
  SELECT tenant, event_type, source, whole.segment, sum(events)::BIGINT AS events
  FROM minutes SEMI JOIN asked USING (tenant, event_type) JOIN (
    SELECT segment, make_timestamp_ms(unnest(range(begin_ms, end_ms, 60000))) AS start FROM ${SEGMENTS}
  ) AS whole USING (start) GROUP BY ALL`);

/** Of the blocks of events it opens those between the first segment and the last. */
const everyEvent = (segments: readonly Segment[]) =>
  packed(`
  SELECT tenant, event_type, source, part.segment, count(*) AS events
  FROM events SEMI JOIN asked USING (tenant, event_type)
  ASOF JOIN (SELECT *, make_timestamp_ms(begin_ms) AS start FROM ${SEGMENTS}) AS part
    ON received_at >= part.start
  WHERE received_at < make_timestamp_ms(part.end_ms)
    AND received_at >= make_timestamp_ms(${segments[0]?.from ?? 0})
    AND received_at < make_timestamp_ms(${segments.at(-1)?.to ?? 0})
  GROUP BY ALL`);

/** One branch for each minute, so that the database opens only the blocks that hold it. */
const cutMinutes = (minutes: readonly Segment[][]) =>
  packed(minutes.map(cutMinute).join(' UNION ALL '));

function cutMinute(segments: readonly Segment[]): string {
  const time = (moment: number) => `make_timestamp_ms(${moment})`;
  const within = ({ from, to }: Segment) =>
    `received_at >= ${time(from)} AND received_at < ${time(to)}`;
  const cases = segments.map((segment) => `WHEN ${within(segment)} THEN ${segment.index}`);
  const minute = minuteOf(segments[0]?.from ?? 0);
  return `
    SELECT tenant, event_type, source, CASE ${cases.join(' ')} END AS segment, count(*) AS events
    FROM events SEMI JOIN asked USING (tenant, event_type)
    WHERE received_at >= ${time(minute)} AND received_at < ${time(minute + 60_000)}
      AND (${segments.map((segment) => `(${within(segment)})`).join(' OR ')})
    GROUP BY ALL`;
}

function isCut({ from, to }: Segment): boolean {
  return !isWhole(from) || !isWhole(to);
}

function byMinute(segments: readonly Segment[]): Segment[][] {
  const minutes = new Map<number, Segment[]>();
  for (const segment of segments) entry(minutes, minuteOf(segment.from), () => []).push(segment);
  return [...minutes.values()];
}

const segmentsText = (segments: readonly Segment[]) =>
  JSON.stringify(segments.map(({ index: n, from: f, to: t }) => ({ n, f, t })));

function typesText(questions: readonly Question[]): string {
  const pairs = questions.map(({ tenant, event_type }) => JSON.stringify({ tenant, event_type }));
  return `[${[...new Set(pairs)].join(',')}]`;
}
