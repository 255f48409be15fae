import { z } from 'zod';
import { time, timeRange, uuid, whole } from '../http/schema.ts';
import { verdict } from '../rules/schema.ts';

export const trigger = z.enum(['schedule', 'late', 'manual']);

export const evaluation = z
  .object({
    id: z.uuid(),
    trigger: trigger.meta({
      description: 'schedule: on time; late: the machine slept or was off; manual: asked for',
    }),
    evaluated_at: time.meta({ description: 'All windows of the cycle end at this moment' }),
    started_at: time,
    duration_ms: z.number(),
    rules: z.int().meta({ description: 'Active rules that were judged' }),
    fired: z.int().meta({ description: 'Rules whose condition held' }),
    alerts: z.int().meta({ description: 'Alerts that were made' }),
    skipped: z.array(z.object({ rule_id: z.uuid(), rule_name: z.string(), reason: z.string() })),
  })
  .meta({
    id: 'Evaluation',
    examples: [
      {
        id: '01932f6e-7c00-7000-8000-000000000000',
        trigger: 'schedule',
        evaluated_at: '2026-03-01T10:15:00.000Z',
        started_at: '2026-03-01T10:15:01.004Z',
        duration_ms: 41,
        rules: 12,
        fired: 1,
        alerts: 1,
        skipped: [
          {
            rule_id: '9b2f6a52-6f0e-4c3e-9a53-0d4f4a0f9a11',
            rule_name: 'Page views drop',
            reason: 'collector was offline 07:12–08:03',
          },
        ],
      },
    ],
  });

const MOST_HOURS_OF_ALL = 24;
const TOO_MUCH = `must be at most ${MOST_HOURS_OF_ALL}, or name one rule in rule_id`;

export const historyQuery = z
  .strictObject({
    hours: whole(1, 168, 24),
    rule_id: uuid.optional(),
  })
  // A thousand rules have ten megabytes of points a day.
  .refine(({ hours, rule_id: id }) => hours <= MOST_HOURS_OF_ALL || id !== undefined, {
    ...{ path: ['hours'], message: TOO_MUCH },
  });

export const statesQuery = z.strictObject({ hours: whole(1, 24, 24) });

/** A letter for each quarter of an hour: small enough to be asked for every minute. */
export const ruleStates = z
  .object({
    from: time.meta({ description: 'When the first quarter of an hour begins' }),
    rules: z.array(
      z.object({
        rule_id: z.uuid(),
        states: z.string().meta({
          description:
            'One letter for each quarter of an hour, oldest first; it is of the cycles whose windows ended in that quarter, of several the gravest. `f` fires, `s` skipped, `q` quiet, `-` no cycle.',
        }),
      }),
    ),
  })
  .meta({
    id: 'RuleStates',
    examples: [
      {
        from: '2026-03-01T09:30:00.000Z',
        rules: [{ rule_id: '9b2f6a52-6f0e-4c3e-9a53-0d4f4a0f9a11', states: '-qqf' }],
      },
    ],
  });

/** The reasons are with the evaluations; they would be most of it here. */
export const ruleHistory = z
  .object({
    rule_id: z.uuid(),
    points: z
      .array(
        z.object({
          timestamp: time.meta({ description: 'When the windows of the cycle ended' }),
          ...verdict.omit({ message: true }).shape,
          alert: z.boolean().meta({ description: 'Whether the cycle made an alert' }),
        }),
      )
      .meta({ description: 'Oldest first' }),
  })
  .meta({
    id: 'RuleHistory',
    examples: [
      {
        rule_id: '9b2f6a52-6f0e-4c3e-9a53-0d4f4a0f9a11',
        points: [
          {
            ...{ timestamp: '2026-03-01T10:15:00.000Z', state: 'quiet', value: 18 },
            ...{ expected: null, alert: false },
          },
        ],
      },
    ],
  });

export const collectorQuery = z.strictObject({
  time_range: timeRange.default('24h').meta({ description: 'How far back absences are shown' }),
});

export const collectorView = z
  .object({
    listening: z.boolean(),
    since: time.nullable().meta({ description: 'Without a break since then' }),
    first_heard: time.nullable().meta({ description: 'When it listened for the first time' }),
    offline: z
      .array(z.object({ from: time, to: time }))
      .meta({ description: 'When it did not listen, for a minute or longer, oldest first' }),
    last_event_at: time.nullable(),
  })
  .meta({
    id: 'Collector',
    examples: [
      {
        listening: true,
        since: '2026-03-01T08:03:00.000Z',
        first_heard: '2026-02-01T09:00:00.000Z',
        offline: [{ from: '2026-03-01T07:12:00.000Z', to: '2026-03-01T08:03:00.000Z' }],
        last_event_at: '2026-03-01T10:14:58.120Z',
      },
    ],
  });

export type Trigger = z.infer<typeof trigger>;
export type Evaluation = z.infer<typeof evaluation>;
export type HistoryQuery = z.infer<typeof historyQuery>;
export type StatesQuery = z.infer<typeof statesQuery>;
export type RuleStates = z.infer<typeof ruleStates>;
export type RuleHistory = z.infer<typeof ruleHistory>;
export type CollectorQuery = z.infer<typeof collectorQuery>;
export type CollectorView = z.infer<typeof collectorView>;
