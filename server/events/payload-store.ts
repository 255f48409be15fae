import type { Database } from '../platform/database.ts';
import type { Sql } from '../platform/sql.ts';
import { createMarks, isWhole } from './marks.ts';
import type { Marks, Segment } from './marks.ts';
import { extraction } from './paths.ts';
import type { Answer, Measure, Question } from './questions.ts';
import { accumulate, add, entry } from './sums.ts';

type OfPayload = Exclude<Measure, { of: 'count' }>;
export type PayloadQuestion = Question & { measure: OfPayload };

/**
 * Looks into what events carry: once for each event type, whatever the number of questions. What
 * is found in each segment is put together here for each window.
 */
export function createPayloadStore(database: Database) {
  return {
    /** All of the questions are about one event type. */
    measured: (questions: readonly PayloadQuestion[]): Promise<Answer[]> =>
      database.read(async (sql) => {
        const distinct = questions.filter(({ measure }) => measure.of === 'unique');
        const others = questions.filter(({ measure }) => measure.of !== 'unique');
        const answers = new Map<PayloadQuestion, Answer>();
        if (others.length > 0) await summed(sql, others, answers);
        for (const inOrder of chains(distinct)) await distinctValues(sql, inOrder, answers);
        return questions.map((question) => answers.get(question) ?? null);
      }, 'heavy'),
  };
}

export type PayloadStore = ReturnType<typeof createPayloadStore>;

/** What the events of one segment and source have at one path. */
type Found = [
  lacking: number,
  numbers: number,
  sum: number | null,
  min: number | null,
  max: number | null,
];

async function summed(
  sql: Sql,
  questions: readonly PayloadQuestion[],
  answers: Map<PayloadQuestion, Answer>,
): Promise<void> {
  const marks = createMarks(questions);
  const paths = [...new Set(questions.map(({ measure }) => measure.path))];
  const { list, values } = extraction(paths);
  const numeric = paths.map((path) =>
    questions.some(({ measure }) => measure.path === path && measure.of !== 'lacking'),
  );
  const found = values.map((value, i) => {
    const number = numeric[i] ? numberOf(value) : 'NULL::DOUBLE';
    return `[count(*) - count(${value}), count(${number}), ${finiteSum(number)}, min(${number}), max(${number})]`;
  });
  const rows = await sql.rows<{ segment: number; source: string; found: string }>(
    `SELECT segment, to_json(source) AS source, to_json([${found.join(', ')}]) AS found
     FROM ${inSegments(marks, list)} GROUP BY segment, source`,
    ...about(questions),
    segmentsText(marks),
  );
  const parts = rows.map((row) => ({
    segment: row.segment,
    source: JSON.parse(row.source) as string,
    found: JSON.parse(row.found) as Found[],
  }));
  const places = new Map(paths.map((path, i) => [path, i]));
  const bySegment = new Map<number, typeof parts>();
  for (const part of parts) entry(bySegment, part.segment, () => []).push(part);
  for (const question of questions) {
    const { source, measure } = question;
    const path = places.get(measure.path) ?? 0;
    const total: Found = [0, 0, 0, null, null];
    const [first, end] = marks.range(question);
    for (let segment = first; segment < end; segment++) {
      for (const part of bySegment.get(segment) ?? []) {
        if (source === undefined || part.source === source) merge(total, part.found[path]);
      }
    }
    answers.set(question, taken(measure.of, total));
  }
}

function merge(total: Found, more: Found | undefined): void {
  if (more === undefined) return;
  const [lacking, numbers, sum, min, max] = more;
  total[0] += lacking;
  total[1] += numbers;
  total[2] = finite((total[2] ?? 0) + (sum ?? 0));
  if (min !== null) total[3] = Math.min(total[3] ?? min, min);
  if (max !== null) total[4] = Math.max(total[4] ?? max, max);
}

/** What is more than the largest number there is counts as that one. */
const finite = (sum: number) => Math.min(Math.max(sum, -Number.MAX_VALUE), Number.MAX_VALUE);
const finiteSum = (number: string) =>
  `CASE WHEN abs(sum(${number})) <= ${Number.MAX_VALUE} THEN sum(${number})
        ELSE sign(sum(${number})) * ${Number.MAX_VALUE} END`;

function taken(of: OfPayload['of'], [lacking, numbers, sum, min, max]: Found): number | null {
  switch (of) {
    case 'lacking':
      return lacking;
    case 'sum':
      return numbers === 0 ? null : sum;
    case 'avg':
      return numbers === 0 ? null : (sum ?? 0) / numbers;
    case 'min':
      return min;
    case 'max':
      return max;
    default:
      throw new Error(`The measure ${of} is not known`);
  }
}

/**
 * A value belongs to all windows that are open at its time, and must count in each of them once.
 * Windows are in order, so those are neighbours: of a value's next time, only the windows behind
 * the ones that have it already are new.
 */
async function distinctValues(
  sql: Sql,
  inOrder: readonly PayloadQuestion[],
  answers: Map<PayloadQuestion, Answer>,
): Promise<void> {
  const marks = createMarks(inOrder);
  const [{ measure, source }] = inOrder as [PayloadQuestion];
  const starts = new Float64Array(inOrder.length + 1);
  const { list, values } = extraction([measure.path]);
  const rows = await sql.rows<{ first: number; last: number; fresh: number }>(
    `SELECT fresh_from AS first, last, count(*)::DOUBLE AS fresh FROM (
       SELECT last, greatest(first, coalesce(max(last) OVER (
         PARTITION BY value ORDER BY first ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
       ) + 1, first)) AS fresh_from
       FROM (SELECT DISTINCT hash(${values.join()}) AS value, first, last FROM ${inSegments(marks, list)}
             WHERE ${values.join()} IS NOT NULL ${source === undefined ? '' : 'AND source = $6'})
     ) WHERE fresh_from <= last GROUP BY ALL`,
    ...about(inOrder),
    windowsText(marks, inOrder),
    ...(source === undefined ? [] : [source]),
  );
  for (const { first, last, fresh } of rows) {
    add(starts, first, fresh);
    add(starts, last + 1, -fresh);
  }
  accumulate(starts);
  inOrder.forEach((question, i) => answers.set(question, starts[i] ?? 0));
}

/**
 * Questions about the same values whose windows begin and end one after the other; a window that
 * lies within another is not of its chain.
 */
function chains(questions: readonly PayloadQuestion[]): PayloadQuestion[][] {
  const alike = new Map<string, PayloadQuestion[][]>();
  for (const question of [...questions].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const { measure, source } = question;
    const known = entry(alike, JSON.stringify([measure.path, source]), () => []);
    const chain = known.find((one) => (one.at(-1)?.to ?? 0) <= question.to);
    if (chain) chain.push(question);
    else known.push([question]);
  }
  return [...alike.values()].flat();
}

/** A number, also one that was sent as text; nothing that cannot be added up. */
const numberOf = (value: string) =>
  `CASE WHEN isfinite(TRY_CAST(${value} AS DOUBLE)) THEN TRY_CAST(${value} AS DOUBLE) END`;

/** The events of one type, each with the segment that it lies in and what was found in it. */
function inSegments(marks: Marks, list: string): string {
  const events = `(
    SELECT received_at, source, ${list} AS found FROM events
    WHERE tenant = $1 AND event_type = $2
      AND received_at >= make_timestamp_ms($3::BIGINT) AND received_at < make_timestamp_ms($4::BIGINT))`;
  const segments = `(
    SELECT part.n AS segment, part.f AS begin_ms, part.t AS end_ms, part.a AS first, part.z AS last
    FROM (SELECT unnest(from_json($5, '[{"n":"INTEGER","f":"BIGINT","t":"BIGINT","a":"INTEGER","z":"INTEGER"}]')) AS part))`;
  const isWholeMinutes = marks.segments().every(({ from, to }) => isWhole(from) && isWhole(to));
  // By whole minutes it takes two thirds of the time.
  return isWholeMinutes
    ? `${events} JOIN (
         SELECT segment, first, last, make_timestamp_ms(unnest(range(begin_ms, end_ms, 60000))) AS start
         FROM ${segments}
       ) ON date_trunc('minute', received_at) = start`
    : `(SELECT * FROM ${events}
        ASOF JOIN (SELECT *, make_timestamp_ms(begin_ms) AS start FROM ${segments}) ON received_at >= start
        WHERE received_at < make_timestamp_ms(end_ms))`;
}

function about(questions: readonly PayloadQuestion[]) {
  const [{ tenant, event_type: type }] = questions as [PayloadQuestion];
  // Too many to be handed over as arguments.
  const from = questions.reduce((least, question) => Math.min(least, question.from), Infinity);
  const to = questions.reduce((most, question) => Math.max(most, question.to), 0);
  return [tenant, type, from, to] as const;
}

const segmentText = ({ index: n, from: f, to: t }: Segment) => ({ n, f, t });
const segmentsText = (marks: Marks) => JSON.stringify(marks.segments().map(segmentText));

/** Each segment with the first and the last window that it lies in. */
function windowsText(marks: Marks, windows: readonly PayloadQuestion[]): string {
  const ranges = windows.map(marks.range);
  let first = 0;
  let last = -1;
  return JSON.stringify(
    marks.segments().map((segment) => {
      while ((ranges[first]?.[1] ?? Infinity) <= segment.index) first++;
      while ((ranges[last + 1]?.[0] ?? Infinity) <= segment.index) last++;
      return { ...segmentText(segment), a: first, z: last };
    }),
  );
}
