import { z } from 'zod';
import { flag, moment, optionalBody, paging, time, timeRange } from '../http/schema.ts';
import { category, ruleType, severity, tags } from '../rules/schema.ts';

const RULE_ID = '0197f0a2-6c1b-7d3e-9f4a-5b6c7d8e9f01';
const EXAMPLE = {
  id: '0197f3c4-1a2b-7c3d-8e4f-0a1b2c3d4e5f',
  rule_id: RULE_ID,
  severity: 'critical' as const,
  message: 'Threshold exceeded: 3 < 10 in 60 min window',
  is_resolved: false,
  is_acknowledged: true,
  created_at: '2026-01-31T12:00:00.000Z',
  rule_name: 'Too few purchases',
  rule_type: 'threshold' as const,
  event_type: 'purchase',
  source: 'backend',
  tags: ['checkout'],
  category: 'revenue',
  value: 3,
  missing_fields: [],
  window_minutes: 60,
  acknowledged_at: '2026-01-31T12:04:10.000Z',
  acknowledge_note: 'Looking at the payment page',
  resolved_at: null,
  resolve_note: null,
};

/** An alert keeps a copy of what its rule was, so that it can be read when the rule is gone. */
export const alert = z
  .object({
    id: z.uuid(),
    rule_id: z.uuid(),
    severity,
    message: z.string(),
    is_resolved: z.boolean(),
    is_acknowledged: z.boolean(),
    created_at: time,
    rule_name: z.string(),
    rule_type: ruleType,
    event_type: z.string(),
    source: z.string().nullable(),
    tags,
    category: category.nullable(),
    value: z.number().nullable().meta({ description: 'What was measured' }),
    missing_fields: z.array(z.string()).meta({
      description:
        'Which required fields events lacked; empty for other types of rules, and for alerts from before this was kept',
    }),
    window_minutes: z.number().nullable().meta({
      description: 'How many minutes were looked at; null for alerts from before this was kept',
    }),
    acknowledged_at: time.nullable(),
    acknowledge_note: z.string().nullable(),
    resolved_at: time.nullable(),
    resolve_note: z.string().nullable(),
  })
  .meta({ id: 'Alert', examples: [EXAMPLE] });

/** An alert that is acknowledged and resolved counts as resolved. */
const status = z.enum(['open', 'acknowledged', 'resolved', 'all']);

/** Which alerts are meant; the same in lists, groups, charts and bulk changes. */
export const filter = z.strictObject({
  rule_id: z.uuid().optional(),
  severity: severity.optional(),
  status: status.optional().meta({
    description: '`open`: neither acknowledged nor resolved; `acknowledged`: not resolved yet',
  }),
  rule_type: ruleType.optional(),
  source: z.string().optional(),
  tag: z.string().optional(),
  category: z.string().optional(),
  since: moment.optional().meta({ description: 'Only alerts made at or after this time' }),
  until: moment.optional().meta({ description: 'Only alerts made before this time' }),
});

export const listQuery = z.strictObject({
  ...filter.shape,
  resolved: flag,
  ...paging.shape,
});

export const groupQuery = z.strictObject({
  ...filter.shape,
  time_range: timeRange.default('24h').meta({ description: 'How far back the sparkline goes' }),
  limit: paging.shape.limit,
});

export const activityQuery = z.strictObject({
  ...filter.shape,
  time_range: timeRange.default('7d'),
});

export const activityPoint = z.object({ timestamp: time, count: z.int() }).meta({
  id: 'AlertActivityPoint',
  examples: [{ timestamp: '2026-01-31T12:00:00.000Z', count: 2 }],
});

/** All alerts of one rule, named as the latest of them names it. */
export const alertGroup = z
  .object({
    rule_id: z.uuid(),
    rule_name: z.string(),
    rule_type: ruleType,
    severity,
    source: z.string().nullable(),
    tags,
    category: category.nullable(),
    status: status.exclude(['all']).meta({ description: 'That of the most pressing alert in it' }),
    count: z.int(),
    first_seen: time,
    last_seen: time,
    latest: alert,
    sparkline: z.array(activityPoint),
  })
  .meta({
    id: 'AlertGroup',
    examples: [
      {
        rule_id: RULE_ID,
        rule_name: EXAMPLE.rule_name,
        rule_type: EXAMPLE.rule_type,
        severity: EXAMPLE.severity,
        source: EXAMPLE.source,
        tags: EXAMPLE.tags,
        category: EXAMPLE.category,
        status: 'open',
        count: 12,
        first_seen: '2026-01-30T08:15:00.000Z',
        last_seen: EXAMPLE.created_at,
        latest: EXAMPLE,
        sparkline: [{ timestamp: '2026-01-31T12:00:00.000Z', count: 1 }],
      },
    ],
  });

export const byAlert = z.strictObject({ alert_id: z.uuid() });

/** An empty field of a form is no note. */
const note = z
  .string()
  .trim()
  .max(10_000)
  .transform((text) => (text === '' ? undefined : text))
  .optional();

/** zod drops the plain `examples` of whatever it transforms on its way in. */
const shownAs = (value: object) => ({ 'x-examples': { example: { value } } });

/** A note is optional, so the body may be left out. */
export const noted = optionalBody(
  z.strictObject({ note }).meta(shownAs({ note: 'The payment page is back' })),
);

const keepAcknowledged = z.boolean().default(false).meta({
  description: 'Take back only that it was resolved: what was acknowledged before stays so',
});

export const reopened = optionalBody(
  z
    .strictObject({ keep_acknowledged: keepAcknowledged })
    .meta(shownAs({ keep_acknowledged: true })),
);

/** As many as an answer names, so that what it did can be taken back in one request. */
export const MAX_CHANGED_IDS = 10_000;

/** The filter itself is required: a hurried `{}` must not change everything. */
const bulk = z.strictObject({
  filter: z.strictObject({
    ids: z.array(z.uuid()).max(MAX_CHANGED_IDS).optional(),
    ...filter.shape,
  }),
});

export const bulkReopen = z
  .strictObject({ ...bulk.shape, keep_acknowledged: keepAcknowledged })
  .meta(shownAs({ filter: { rule_id: RULE_ID, status: 'resolved' } }));

export const bulkNoted = z
  .strictObject({ ...bulk.shape, note })
  .meta(shownAs({ filter: { rule_id: RULE_ID, status: 'open' }, note: 'Planned work' }));

export const bulkChanged = z
  .object({
    changed: z.int(),
    ids: z
      .array(z.uuid())
      .meta({ description: `Those whose state changed, newest first, at most ${MAX_CHANGED_IDS}` }),
  })
  .meta({ examples: [{ changed: 1, ids: [EXAMPLE.id] }] });

/** For what is always in view: how much is waiting, and what came last. */
export const alertSummary = z
  .object({
    open: z
      .object({ critical: z.int(), warning: z.int(), info: z.int() })
      .meta({ description: 'Alerts neither acknowledged nor resolved' }),
    acknowledged: z.int().meta({ description: 'Alerts acknowledged and not resolved' }),
    latest: alert.nullable().meta({ description: 'The newest alert, whatever became of it' }),
  })
  .meta({
    id: 'AlertSummary',
    examples: [{ open: { critical: 0, warning: 2, info: 0 }, acknowledged: 1, latest: EXAMPLE }],
  });

export type Alert = z.infer<typeof alert>;
export type AlertFilter = z.infer<typeof bulk>['filter'];
export type AlertList = z.infer<typeof listQuery>;
export type GroupQuery = z.infer<typeof groupQuery>;
export type ActivityQuery = z.infer<typeof activityQuery>;
export type AlertGroup = z.infer<typeof alertGroup>;
export type AlertSummary = z.infer<typeof alertSummary>;
export type BulkChanged = z.infer<typeof bulkChanged>;
